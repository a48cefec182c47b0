import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorAdvice, plural, terminalLine, type JsonObject } from '../../core/index.js';
import { runProgram } from '../../model/index.js';
import { displayPath } from '../../suite/index.js';
import {
  hookAgent,
  hookScope,
  HOOK_AGENTS,
  installedLine,
  PROBE_KEY,
  readLog,
  shellWords,
  subagentMarker,
  switchedOff,
  type HookTarget,
} from '../../watch/index.js';
import type { HookInstallFlags } from '../commands/hook.js';
import { ExitCode } from '../exit-code.js';
import { openSuites } from '../open-suites.js';
import { say } from '../streams.js';
import { watchContext, type WatchContext } from '../watch-context.js';
import { entryLine } from '../watch-lines.js';

const PROBE_MS = 30_000;

/** One thing that was looked at. */
interface Finding {
  ok: boolean;
  text: string;
}

function targets(context: WatchContext, flags: HookInstallFlags): HookTarget[] {
  const names = flags.agent === undefined ? HOOK_AGENTS : [flags.agent];
  const all = names.flatMap((name) => {
    const agent = hookAgent(name);
    const scopes = flags.scope === undefined ? agent.scopes : [hookScope(agent, flags.scope)];
    return scopes.map((scope) => ({
      agent,
      scope,
      file: agent.file(scope, context.loaded.root, process.env),
      installs: context.place.installs,
    }));
  });
  // In the home directory the settings of the project are those of the user.
  return all.filter(({ file }, index) => all.findIndex((other) => other.file === file) === index);
}

/** A path that the sentinels match: the probe is of an edit of it. Nothing is written there. */
function probePath({ sentinels, loaded }: WatchContext): string | null {
  const { root, config } = loaded;
  const named = (config.eval.system_prompt_files ?? []).map((file) => join(root, file));
  const made = sentinels.globs.map((glob) => {
    const plain = glob
      .replaceAll('**/', '')
      .replaceAll('**', 'probe')
      .replaceAll('*', 'probe')
      .replaceAll('?', 'p');
    return glob.startsWith('/') ? plain : join(root, plain.replace(/^~\//, ''));
  });
  return [...named, ...made].find((path) => sentinels.match(path) !== null) ?? null;
}

/** Runs the line that stands in the settings as the agent would, on the payload of an edit that is marked as a probe. */
async function probe(target: HookTarget, line: string, context: WatchContext): Promise<Finding[]> {
  const words = shellWords(line);
  if (words === null) return [{ ok: false, text: `the line needs a shell and is not run here: ${line}` }];
  const path = probePath(context);
  if (path === null) return [{ ok: false, text: 'no path matches config_change.sentinels' }];
  const [program = '', ...rest] = words;
  const token = randomUUID();
  const { root } = context.loaded;
  const payload: JsonObject = { ...target.agent.payload({ path, cwd: root }), [PROBE_KEY]: token };
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const { ending, code, stdout, stderr, startError } = await runProgram({
    program,
    arguments: rest,
    environment,
    directory: root,
    input: JSON.stringify(payload),
    signal: AbortSignal.timeout(PROBE_MS),
  });
  if (ending !== 'exited')
    return [{ ok: false, text: `the line did not run: ${startError?.message ?? ending}` }];
  const findings: Finding[] = [
    { ok: code === 0, text: `exit code ${code}` },
    { ok: stdout === '', text: stdout === '' ? 'nothing on stdout' : `on stdout: ${stdout.slice(0, 200)}` },
  ];
  const entry = readLog(context.place.log).findLast((one) => one['probe'] === token);
  if (entry === undefined) {
    const said = stderr.trim().split('\n').at(-1) ?? '';
    return [
      ...findings,
      {
        ok: false,
        text: `no line in ${displayPath(context.place.log, root)}${said === '' ? '' : `: ${said}`}`,
      },
    ];
  }
  const text = entryLine(entry, (file) => displayPath(file, root));
  return [...findings, { ok: entry['event'] === 'skip-probe', text }];
}

async function checkTarget(target: HookTarget, context: WatchContext): Promise<Finding[] | null> {
  try {
    if (!existsSync(target.file)) return null;
    const line = installedLine(target);
    if (line === null) return null;
    const off = await switchedOff(target);
    return [{ ok: off === null, text: off ?? `installed: ${line}` }, ...(await probe(target, line, context))];
  } catch (error) {
    return [{ ok: false, text: errorAdvice(error) }];
  }
}

async function checkSuite(context: WatchContext): Promise<Finding> {
  const name = context.loaded.config.eval.config_change_suite;
  try {
    const [suite] = await openSuites([name], {
      loaded: context.loaded,
      cwd: context.loaded.root,
      quiet: true,
    });
    return { ok: true, text: `suite ${name}: ${plural(suite?.cases.length ?? 0, 'case')}` };
  } catch (error) {
    return { ok: false, text: `suite ${name}: ${errorAdvice(error)}` };
  }
}

function sayFindings(title: string, findings: readonly Finding[]): void {
  say(terminalLine(title));
  for (const { ok, text } of findings) say(terminalLine(`  ${ok ? '✓' : '✗'} ${text}`));
}

/** `assay hook doctor`. Exit code 1 when no hook is installed, or one of them does not fire. */
export async function hookDoctorAction(flags: HookInstallFlags): Promise<void> {
  const context = await watchContext(process.cwd(), flags.config);
  const suite = await checkSuite(context);
  const marker = subagentMarker(process.env);
  const general: Finding[] = [
    suite,
    { ok: true, text: `sentinels ${context.sentinels.globs.join(', ')}` },
    ...(marker === null
      ? []
      : [{ ok: false, text: `the variable ${marker} makes edits from here count as those of a subagent` }]),
  ];
  sayFindings('configuration', general);
  if ((context.loaded.config.eval.system_prompt_files ?? []).length === 0)
    say(
      '  ? eval.system_prompt_files names no file: a suite that asks a model directly does not see your edits',
    );
  let installed = 0;
  let failed = general.some(({ ok }) => !ok);
  for (const target of targets(context, flags)) {
    const findings = await checkTarget(target, context);
    if (findings === null) continue;
    installed += 1;
    failed ||= findings.some(({ ok }) => !ok);
    sayFindings(`${target.agent.title}, ${displayPath(target.file, process.cwd())}`, findings);
    if (target.agent.name === 'codex') say(`  ? ${target.agent.remark}`);
  }
  if (installed === 0) say('no hook is installed: assay hook install --agent claude-code');
  if (failed || installed === 0) throw new ExitCode(1);
}
