import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AssayError,
  canonicalJson,
  isJsonObject,
  parseJson,
  sha256,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';
import { ensurePrivateDirectory, writeFileAtomic } from '../store/index.js';
import type { HookAgent, HookScope } from './agents.js';
import {
  hookGroups,
  readSettings,
  readSettingsFile,
  withHookGroup,
  withoutHookGroup,
  type SettingsText,
} from './settings-text.js';
import { shellWords } from './shell-words.js';

/** A settings file of an agent. */
export interface HookTarget {
  agent: HookAgent;
  scope: HookScope;
  /** Absolute. */
  file: string;
  /** Where settings are kept as they were before. */
  installs: string;
}

/** A change of a settings file that is worked out and not yet made. */
export interface SettingsPlan {
  target: HookTarget;
  /** The file as it is; null when there is none. */
  before: string | null;
  /** The file as it would be; null when it would go. */
  after: string | null;
  /** The line that the agent runs; null for a removal. */
  command: string | null;
}

interface InstallRecord {
  before: string | null;
  afterHash: string;
}

const PRIVATE_FILE = 0o600;
const SCHEMA = 'assay/hook-install/v1';

/** A word that starts Assay: its name, as a program or a package of some version, or its script. */
const STARTS_ASSAY = /(?:^|[/\\])(?:assay(?:\.cmd|\.exe)?(?:@[^/\\]*)?|dist[/\\](?:bin|cli)[/\\]main\.js)$/;

/** What a line starts, the word before `hook`; null when it is no line for a hook of this agent. */
function starterOf(command: string, agent: string): string | null {
  const words = shellWords(command);
  if (words === null)
    return new RegExp(`(\\S+) hook --agent[ =]${agent}(?:\\s|$)`).exec(command)?.[1] ?? null;
  const at = words.indexOf('hook');
  return words[at + 1] === '--agent' && words[at + 2] === agent ? (words[at - 1] ?? null) : null;
}

/**
 * The lines of a group of hooks that Assay put there. Other programs have commands named `hook` too: a line is Assay's
 * when it starts Assay, or when its group is word for word what Assay writes (`--command` may name any program).
 */
function ownLines(group: JsonValue, agent: HookAgent): string[] {
  if (!isJsonObject(group) || !Array.isArray(group['hooks'])) return [];
  return group['hooks'].flatMap((hook) => {
    const command = isJsonObject(hook) ? hook['command'] : undefined;
    if (typeof command !== 'string') return [];
    const starter = starterOf(command, agent.name);
    if (starter === null) return [];
    const written = canonicalJson(agent.group(command)) === canonicalJson(group);
    return written || STARTS_ASSAY.test(starter.replaceAll(/["']/g, '')) ? [command] : [];
  });
}

function settingsOf(target: HookTarget, text: string | null): SettingsText {
  return readSettings(target.file, text ?? '');
}

/**
 * The line of Assay's hook in a settings file; null when there is none.
 * @throws AssayError `INPUT` when the file cannot be read as settings
 */
export function installedLine(target: HookTarget): string | null {
  const { agent, file } = target;
  const groups = hookGroups(file, settingsOf(target, readSettingsFile(file)), agent.event);
  return groups.flatMap((group) => ownLines(group, agent))[0] ?? null;
}

/** The text without any hook of Assay's. */
function withoutOwn(target: HookTarget, text: string, prune: boolean): string {
  const { agent, file } = target;
  let current = text;
  for (;;) {
    const settings = settingsOf(target, current);
    const groups = hookGroups(file, settings, agent.event);
    const index = groups.findIndex((group) => ownLines(group, agent).length > 0);
    if (index === -1) return current;
    const group = groups[index];
    const count =
      group !== undefined && isJsonObject(group) && Array.isArray(group['hooks']) ? group['hooks'].length : 0;
    if (count > 1) {
      throw new AssayError('INPUT', `${file}: Assay's hook shares a group with others`, {
        fix: `take its line out of hooks.${agent.event}[${index}].hooks by hand; nothing was changed`,
      });
    }
    current = withoutHookGroup(file, settings, { event: agent.event, index, prune });
  }
}

/**
 * Works out how the hook is put into a settings file. A hook of Assay's that is there already is replaced; the same one
 * changes nothing.
 * @throws AssayError `INPUT` when the file has another shape than settings have
 */
export function planInstall(target: HookTarget, command: string): SettingsPlan {
  const { agent, file } = target;
  const before = readSettingsFile(file);
  const plan = (after: string | null): SettingsPlan => ({ target, before, after, command });
  const groups = hookGroups(file, settingsOf(target, before), agent.event);
  const own = groups.filter((group) => ownLines(group, agent).length > 0);
  const wanted = agent.group(command);
  if (own.length === 1 && JSON.stringify(own[0]) === JSON.stringify(wanted)) return plan(before);
  const clean = before === null ? '' : withoutOwn(target, before, false);
  return plan(withHookGroup(file, settingsOf(target, clean), agent.event, wanted));
}

function recordPath({ agent, scope, file, installs }: HookTarget): string {
  return join(installs, `${agent.name}-${scope}-${sha256(file).slice(0, 12)}.json`);
}

function readRecord(target: HookTarget): InstallRecord | null {
  const path = recordPath(target);
  if (!existsSync(path)) return null;
  const parsed = parseJson(readFileSync(path, 'utf8'));
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { before, after_sha256: afterHash } = parsed.value;
  if (typeof afterHash !== 'string' || !(before === null || typeof before === 'string')) return null;
  return { before, afterHash };
}

/**
 * Works out how the hook is taken out again: the file as it was before the install, byte for byte, when nobody has
 * changed it since; else without the hook's own entry.
 * @throws AssayError `INPUT` when the file has another shape than settings have
 */
export function planUninstall(target: HookTarget): SettingsPlan {
  const before = readSettingsFile(target.file);
  const plan = (after: string | null): SettingsPlan => ({ target, before, after, command: null });
  if (before === null || installedLine(target) === null) return plan(before);
  const record = readRecord(target);
  if (record !== null && record.afterHash === sha256(before)) return plan(record.before);
  // A list that was there before the install stays, even an empty one.
  const had = record?.before ?? '';
  return plan(withoutOwn(target, before, !hasList(target, had)));
}

function hasList(target: HookTarget, text: string): boolean {
  const { hooks } = settingsOf(target, text).value;
  return hooks !== undefined && isJsonObject(hooks) && Object.hasOwn(hooks, target.agent.event);
}

/** The settings that an uninstall goes back to: without any hook of Assay's. */
function originalOf(target: HookTarget, before: string | null): string | null {
  if (before === null) return null;
  const earlier = readRecord(target);
  // An install over an install goes back to what was there before the first one.
  if (earlier !== null && earlier.afterHash === sha256(before)) return earlier.before;
  return withoutOwn(target, before, true);
}

/**
 * Makes a planned change. Before an install the file is kept as it was; after an uninstall what was kept is removed.
 * A link is followed, so that it stays one.
 * @returns the path where the file is kept as it was; null when there was none, or for an uninstall
 * @throws AssayError `INPUT` when the file has changed since it was planned, `STORE` when it cannot be written
 */
export async function applySettings(plan: SettingsPlan, now: number): Promise<string | null> {
  const { target, before, after, command } = plan;
  const { file, installs, agent, scope } = target;
  if (readSettingsFile(file) !== before) {
    throw new AssayError('INPUT', `${file} has changed meanwhile`, { fix: 'nothing was changed; try again' });
  }
  let kept: string | null = null;
  if (command !== null && after !== null) {
    ensurePrivateDirectory(installs);
    const record: JsonObject = {
      schema: SCHEMA,
      agent: agent.name,
      scope,
      file,
      command,
      at: new Date(now).toISOString(),
      after_sha256: sha256(after),
      before: originalOf(target, before),
    };
    await writeFileAtomic(recordPath(target), `${JSON.stringify(record, null, 2)}\n`, PRIVATE_FILE);
    if (before !== null) {
      kept = join(installs, `${agent.name}-${scope}-${Math.trunc(now)}.backup`);
      await writeFileAtomic(kept, before, PRIVATE_FILE);
    }
  }
  if (after === null) rmSync(existsSync(file) ? realpathSync(file) : file, { force: true });
  else {
    const made = !existsSync(dirname(file));
    if (made) mkdirSync(dirname(file), { recursive: true });
    const place = existsSync(file) ? realpathSync(file) : file;
    await writeFileAtomic(place, after, existsSync(place) ? statSync(place).mode & 0o777 : 0o644);
  }
  if (command === null) {
    rmSync(recordPath(target), { force: true });
    if (after === null) removeEmpty(dirname(file));
  }
  return kept;
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It holds something else.
  }
}
