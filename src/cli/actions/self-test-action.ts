import { AssayError, fixedSource, systemSource, terminalLine, type Recording } from '../../core/index.js';
import { loadConfig } from '../../config/index.js';
import { gradeChecks } from '../../grade/index.js';
import { createJudge, selfTestJudge } from '../../judge/index.js';
import { compileAssertions } from '../../suite/index.js';
import type { SelfTestFlags } from '../commands/doctor.js';
import { chooseModel, modelServices } from '../choose-model.js';
import { ExitCode } from '../exit-code.js';
import { askingModel } from '../judge-for.js';
import { say } from '../streams.js';
import { ASSERTION_EXAMPLES, type AssertionExample } from './assertion-examples.js';

interface Row {
  name: string;
  agreed: boolean;
  detail: string;
}

/** A recording of one answer and nothing else. */
function answered(output: string, toolCalls: Recording['toolCalls']): Recording {
  return {
    receipt: {
      schema: 'assay/recording/v1',
      caseId: 'self-test',
      caseHash: '',
      trial: 1,
      mode: 'replay',
      modelRef: 'scripted',
      servedModel: null,
      toolSurface: { requested: [], effective: [], registered: [] },
      sandbox: { autonomy: 'none', workspaceOnly: true },
      judgeRef: null,
      promptHash: null,
    },
    turns: [{ user: 'self-test', text: output }],
    messages: [],
    toolCalls,
    usage: { inputTokens: 10, outputTokens: 10, cost: 0 },
    llmCalls: 1,
    durationMs: fixedSource().monotonic(),
  };
}

function assertionRow(example: AssertionExample): Row {
  const name = `${JSON.stringify(example.assert['type'])} on ${JSON.stringify(example.output)}`;
  const { checks, problems } = compileAssertions([example.assert], {
    path: ['assert'],
    directory: process.cwd(),
    turnCount: 1,
  });
  const [problem] = problems;
  if (problem !== undefined) return { name, agreed: false, detail: `refused: ${problem.message}` };
  const calls = (example.tools ?? []).map((tool, index) => ({
    id: `call_${index + 1}`,
    name: tool,
    arguments: '{"path":"a.txt"}',
    result: 'done',
    ok: true,
    turn: 0,
    startedAt: 0,
    durationMs: 0,
  }));
  const [check] = gradeChecks(checks, answered(example.output, calls), { emptyText: 'fail' });
  const outcome = check?.outcome ?? 'error';
  return {
    name,
    agreed: outcome === example.expected,
    detail: `${outcome}: ${check?.evidence ?? 'nothing was graded'}`,
  };
}

async function judgeRows(flags: SelfTestFlags): Promise<Row[]> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const source = systemSource();
  const services = modelServices(loaded, source, flags.cache);
  const context = {
    flags: { format: 'table' as const, color: false, store: true, cache: flags.cache },
    loaded,
    cwd,
    source,
    services,
    cancel: new AbortController().signal,
  };
  const model = await chooseModel(flags.judge ?? loaded.config.eval.judge_provider, 'high', 90_000, context);
  const judge = createJudge({
    modelRef: model.resolved.ref,
    random: () => source.random(),
    ask: askingModel(model, 1, 'self-test', context),
  });
  const { rows } = await selfTestJudge(judge.grade);
  return rows.map((row) => ({
    name: `${row.type} on the ${row.answer} answer`,
    agreed: row.agreed,
    detail: `${row.outcome}, expected ${row.expected}: ${row.evidence}`,
  }));
}

/** `assay self-test`: exit code 0 only when every example comes out as expected. */
export async function selfTestAction(what: 'assertions' | 'judge', flags: SelfTestFlags): Promise<void> {
  const rows = what === 'assertions' ? ASSERTION_EXAMPLES.map(assertionRow) : await judgeRows(flags);
  const agreed = rows.filter((row) => row.agreed).length;
  if (rows.length === 0) throw new AssayError('INPUT', 'there is nothing to test');
  if (flags.json === true) {
    say(JSON.stringify({ schema: 'assay/self-test/v1', what, agreed, total: rows.length, rows }, null, 2));
  } else {
    for (const row of rows) say(terminalLine(`${row.agreed ? '✓' : '✗'} ${row.name}: ${row.detail}`));
    say(`${agreed}/${rows.length} examples agree`);
  }
  if (agreed !== rows.length) throw new ExitCode(1);
}
