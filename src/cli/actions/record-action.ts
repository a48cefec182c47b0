import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import {
  AssayError,
  errorMessage,
  isJsonObject,
  parseJson,
  PROTOCOLS,
  systemSource,
  terminalLine,
  type JsonObject,
  type JsonValue,
} from '../../core/index.js';
import { modelUpstreams, parseModelRef } from '../../model/index.js';
import {
  blankCase,
  loadSuite,
  recordCase,
  recordFromLog,
  recordTurn,
  type RecordedCase,
  type RecordOptions,
} from '../../run/index.js';
import { compileAgent, type AgentSpec, type Case, type RuleProblem } from '../../suite/index.js';
import { modelPlace } from '../choose-model.js';
import type { RecordFlags } from '../commands/record.js';
import { ExitCode } from '../exit-code.js';
import { listenForInterrupts } from '../interrupt.js';
import { note, say } from '../streams.js';

type Outside = Extract<AgentSpec, { type: 'command' | 'http' }>;

function usage(message: string, fix: string): AssayError {
  return new AssayError('USAGE', message, { fix });
}

/** The agent as a fixture writes it; null when the command line names none. */
function writtenAgent(command: readonly string[], flags: RecordFlags): JsonObject | null {
  const protocol: JsonObject = flags.protocol === undefined ? {} : { protocol: flags.protocol };
  if (flags.preset !== undefined) {
    return { preset: flags.preset, ...protocol, ...(command.length > 0 ? { args: [...command] } : {}) };
  }
  if (command.length === 0) return null;
  const stdin: JsonObject = flags.stdin === true ? { stdin: '{{prompt}}' } : {};
  return { command: [...command], ...stdin, ...protocol };
}

function compiled(written: JsonObject, cwd: string): Outside {
  const problems: RuleProblem[] = [];
  const root = { directory: cwd, within: cwd };
  const agent = compileAgent(written, { path: ['agent'], root, sourceAt: () => null }, problems);
  const [problem] = problems;
  if (problem !== undefined) throw usage(problem.message, problem.fix);
  if (agent?.type !== 'command' && agent?.type !== 'http')
    throw usage('this agent does not ask its model over the wire', 'name a command after --, or a --preset');
  return agent;
}

/** Where requests are forwarded to. Throws AssayError `USAGE` when the command line does not say. */
export async function upstreamsFor(
  flags: Pick<RecordFlags, 'upstream' | 'protocol' | 'model'>,
  loaded: LoadedConfig,
  cwd: string,
): Promise<Pick<RecordOptions, 'upstreams' | 'secrets' | 'modelRef'>> {
  if (flags.upstream !== undefined) {
    const wanted = flags.protocol === undefined ? PROTOCOLS : [flags.protocol];
    const upstream = flags.upstream;
    return {
      upstreams: Object.fromEntries(wanted.map((protocol) => [protocol, upstream])),
      secrets: [],
      modelRef: upstream,
    };
  }
  if (flags.model === undefined)
    throw usage('no model is named', 'add --model anthropic:MODEL or the like, or --upstream URL');
  const place = modelPlace({ loaded, cwd, source: systemSource() });
  const { targets, secrets } = await modelUpstreams(parseModelRef(flags.model), place);
  return { upstreams: targets, secrets, modelRef: flags.model };
}

function readFiles(directory: string): { [path: string]: string } {
  const files: { [path: string]: string } = {};
  const walk = (inside: string): void => {
    for (const entry of readdirSync(inside, { withFileTypes: true })) {
      const path = join(inside, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) files[relative(directory, path)] = readFileSync(path, 'utf8');
    }
  };
  walk(directory);
  return files;
}

function readJson(file: string): JsonValue {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `${file} cannot be read: ${errorMessage(error)}`);
  }
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  throw new AssayError('INPUT', `${file} is not JSON: ${parsed.message}`);
}

/** Writes a fixture to stdout or, whole or not at all, to a file. */
export function writeFixture(fixture: JsonObject, out: string | undefined, force: boolean): void {
  const text = `${JSON.stringify(fixture, null, 2)}\n`;
  if (out === undefined) {
    say(text);
    return;
  }
  if (existsSync(out) && !force)
    throw new AssayError('INPUT', `${out} is there already`, { fix: 'add --force, or name another file' });
  const temporary = join(dirname(resolve(out)), `.${basename(out)}.${process.pid}.tmp`);
  writeFileSync(temporary, text);
  renameSync(temporary, out);
  note(`wrote ${out}`);
}

/** Records a fixture again, whole or one turn of it; what people wrote stays. */
export async function recordAgain(
  flags: Pick<RecordFlags, 'turn'>,
  file: string,
  options: RecordOptions,
): Promise<RecordedCase> {
  const fixture = readJson(file);
  const suite = await loadSuite(file, { gate: false });
  const [tested]: Case[] = [...suite.cases];
  if (tested === undefined || !isJsonObject(fixture)) throw usage(`${file} holds no case`, 'name a fixture');
  const { agent } = tested;
  if (agent.type !== 'command' && agent.type !== 'http')
    throw usage('the fixture names no agent that asks over the wire', 'add agent: { command: […] } to it');
  if (flags.turn === undefined) {
    const written = fixture['agent'];
    const made = await recordCase(tested, agent, isJsonObject(written) ? written : {}, options);
    // What people wrote stays; what was recorded is new.
    const { expects: _suggested, model_name: _name, ...recorded } = made.fixture;
    return { ...made, fixture: { ...fixture, ...recorded } };
  }
  if (flags.turn > tested.turns.length)
    throw usage(`there is no turn ${flags.turn}`, `the fixture has ${tested.turns.length}`);
  if (agent.type !== 'command')
    throw usage('only a command can be recorded turn by turn', 'leave --turn out');
  return recordTurn(fixture, tested, agent, flags.turn - 1, options);
}

async function recordNew(
  command: readonly string[],
  flags: RecordFlags,
  cwd: string,
  options: RecordOptions,
): Promise<RecordedCase> {
  const prompts = flags.prompt ?? [];
  if (prompts.length === 0) throw usage('there is no prompt', "add --prompt 'What the user says'");
  const written = writtenAgent(command, flags);
  if (written === null) throw usage('there is no agent', 'name a command after --, or a --preset');
  const agent = compiled(written, cwd);
  const files = flags.files === undefined ? {} : readFiles(resolve(cwd, flags.files));
  const name = flags.name ?? basename(flags.out ?? 'recorded', '.json');
  return recordCase(blankCase(name, agent, prompts, files), agent, written, options);
}

async function recordLive(
  command: readonly string[],
  flags: RecordFlags,
  cwd: string,
): Promise<RecordedCase> {
  const loaded = await loadConfig(cwd, flags.config);
  const interrupt = listenForInterrupts();
  try {
    const options: RecordOptions = {
      ...(await upstreamsFor(flags, loaded, cwd)),
      source: systemSource(),
      turnTimeoutMs: (flags.timeout ?? loaded.config.eval.case_timeout_secs) * 1000,
      signal: interrupt.cancel,
    };
    return flags.fixture === undefined
      ? await recordNew(command, flags, cwd, options)
      : await recordAgain(flags, flags.fixture, options);
  } finally {
    interrupt.release();
  }
}

/** `assay record`. Exit code 1 when the run ended with an error; what was recorded up to then is written all the same. */
export async function recordAction(command: readonly string[], flags: RecordFlags): Promise<void> {
  const cwd = process.cwd();
  if (flags.fromLog !== undefined) {
    const name = flags.name ?? basename(flags.out ?? flags.fromLog).replace(/\.[a-z]+$/, '');
    const { fixture, notes } = await recordFromLog(
      readJson(flags.fromLog),
      name,
      writtenAgent(command, flags),
    );
    for (const line of notes) note(terminalLine(line));
    writeFixture(fixture, flags.out, flags.force === true);
    return;
  }
  const { fixture, notes, error } = await recordLive(command, flags, cwd);
  for (const line of notes) note(terminalLine(line));
  const again = flags.fixture !== undefined && flags.out === undefined;
  if (error !== null) note(terminalLine(`the run ended with an error (${error.kind}): ${error.message}`));
  // A fixture that is recorded again is replaced only by a run that went well.
  if (error === null || !again)
    writeFixture(fixture, again ? flags.fixture : flags.out, again || flags.force === true);
  if (error !== null) throw new ExitCode(1);
}
