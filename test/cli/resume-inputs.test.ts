import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assay, project, type Ended, type Project } from './run-cli.js';
import { yesCases } from './suite-project.js';

const ANSWERS = "import { word } from './word.mjs';\nexport default () => `yes ${word}`;\n";
const JUDGES =
  'export default () => \'```json\\n{"score":5,"pass":true,"reason":"it does"}\\n```\';\nexport const other = 1;\n';
const JUDGED =
  'cases:\n  - { id: a, prompt: p, assert: [{ type: llm-rubric, value: says yes }] }\n  - { id: b, prompt: q, assert: [{ type: contains, value: yes }] }\n';

function made(files: Record<string, unknown> = {}): Project {
  const one = project({
    'assay.config.yaml':
      'eval: { live_provider: "module:./answers.mjs", system_prompt_files: [system.md] }\n',
    'system.md': 'Answer well.\n',
    'answers.mjs': ANSWERS,
    'word.mjs': "export const word = 'sir';\n",
    'other.mjs': ANSWERS,
    'judge.mjs': JUDGES,
    'judge-2.mjs': JUDGES,
    'evals/s.yaml': `trials: 1\n${JUDGED}`,
    ...files,
  });
  onTestFinished(() => one.remove());
  return one;
}

function run({ root }: Project, words: readonly string[] = []): Promise<Ended> {
  return assay(root, ['run', '-s', 'evals/s.yaml', '--json', '--judge', 'module:./judge.mjs', ...words]);
}

/** Begins a run, changes something and goes on. */
async function resumed(one: Project, change: () => void, words: readonly string[] = []): Promise<Ended> {
  const begun = await run(one);
  expect([begun.code, begun.stderr]).toEqual([0, expect.any(String)]);
  change();
  return run(one, ['--resume', ...words]);
}

function refusal(ended: Ended): string {
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'error' });
  expect(ended.stderr).toContain('the run cannot go on');
  return ended.stderr;
}

describe('a run that is taken up again', () => {
  it('reuses everything when nothing changed, and says so for every case', async () => {
    const ended = await resumed(made(), () => undefined);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('resuming: 2 finished trials reused, 0 trials to run');
    expect(ended.stderr).toContain('a: unchanged; reuses 1 trial');
    expect(ended.stderr).toContain('b: unchanged; reuses 1 trial');
  });

  it('is not answered by another model', async () => {
    const ended = await resumed(made(), () => undefined, ['--model', 'module:./other.mjs']);
    expect(refusal(ended)).toContain('"module:./answers.mjs", now "module:./other.mjs"');
  });

  it('is not judged by another judge', async () => {
    const ended = await resumed(made(), () => undefined, ['--judge', 'module:./judge-2.mjs']);
    expect(refusal(ended)).toContain('"module:./judge.mjs", now "module:./judge-2.mjs"');
  });

  it('is not answered under another system prompt', async () => {
    const one = made();
    expect(refusal(await resumed(one, () => one.write('system.md', 'Answer badly.\n')))).toContain(
      'the system prompt has changed',
    );
  });

  it.each([
    ['answers.mjs', `${ANSWERS}// edited\n`, "the code of the agent's model changed"],
    ['word.mjs', "export const word = 'madam';\n", "the code of the agent's model changed"],
    ['judge.mjs', `${JUDGES}// edited\n`, 'the code of the judge changed'],
  ])('is not continued with an edited %s', async (file, text, says) => {
    const one = made();
    expect(refusal(await resumed(one, () => one.write(file, text)))).toContain(says);
  });

  it('is not judged by the edited module that an assertion names', async () => {
    const one = made({
      'evals/s.yaml': JUDGED.replace('says yes }', 'says yes, model: "module:./judge-2.mjs" }'),
    });
    const ended = await resumed(one, () => one.write('judge-2.mjs', `${JUDGES}// edited\n`));
    expect(refusal(ended)).toContain('the judge module:./judge-2.mjs changed');
  });

  it('is not continued with a level that falls back on another model', async () => {
    const one = made({ 'assay.config.yaml': 'levels: { medium: { model: "module:./answers.mjs" } }\n' });
    const ended = await resumed(one, () =>
      one.write(
        'assay.config.yaml',
        'levels: { medium: { model: "module:./answers.mjs", fallback: "module:./other.mjs" } }\n',
      ),
    );
    expect(refusal(ended)).toContain("the settings or the code of the agent's model changed");
  });

  it('does not mix stored answers of two files', async () => {
    const rows = (word: string): string =>
      ['a', 'b'].map((id) => `${JSON.stringify({ id, trial: 1, output: `yes ${word}` })}\n`).join('');
    const one = made({ 'out.jsonl': rows('sir'), 'evals/s.yaml': `trials: 1\n${yesCases(['a', 'b'])}` });
    const words = ['run', '-s', 'evals/s.yaml', '--json', '--outputs', 'out.jsonl'];
    expect((await assay(one.root, words)).code).toBe(0);
    expect((await assay(one.root, [...words, '--resume'])).stderr).toContain('2 finished trials reused');
    one.write('out.jsonl', rows('madam'));
    expect(refusal(await assay(one.root, [...words, '--resume']))).toContain(
      'the file of stored outputs changed',
    );
  });

  it.each([
    ['a function', 'module: ../agent.mjs', 'agent.mjs', 'export default () => "yes";\n'],
    [
      'a program',
      `command: [${JSON.stringify(process.execPath)}, "{{suite}}/../agent.mjs"], network: open`,
      'agent.mjs',
      'console.log("yes");\n',
    ],
  ])('is not continued with the edited file of %s under test', async (_, agent, file, text) => {
    const one = made({
      [file]: text,
      'evals/s.yaml': `agent: { ${agent} }\n${yesCases(['a'])}`,
      'assay.config.yaml': 'eval: {}\n',
    });
    const ended = await resumed(one, () => one.write(file, `${text}// edited\n`));
    expect(refusal(ended)).toContain('agent.mjs changed');
  });

  it('keeps the cases of an edited agent comparable with earlier runs', async () => {
    const one = made({
      'agent.mjs': 'export default () => "yes";\n',
      'evals/s.yaml': `agent: { module: ../agent.mjs }\n${yesCases(['a'])}`,
      'assay.config.yaml': 'eval: {}\n',
    });
    const hashes = async (): Promise<string[]> => {
      const ended = await run(one);
      const report: { run: { directory: string } } = JSON.parse(ended.stdout);
      return readFileSync(join(report.run.directory, 'journal.jsonl'), 'utf8').match(/"hash":"[^"]+"/g) ?? [];
    };
    const before = await hashes();
    one.write('agent.mjs', 'export default () => "yes, later";\n');
    expect(before).not.toEqual([]);
    expect(await hashes()).toEqual(before);
  });
});
