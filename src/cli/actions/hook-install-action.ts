import { AssayError, terminalSafe } from '../../core/index.js';
import { systemSource } from '../../core/index.js';
import { displayPath } from '../../suite/index.js';
import {
  applySettings,
  hookAgent,
  hookScope,
  planInstall,
  planUninstall,
  shellLine,
  shellWords,
  switchedOff,
  type HookAgent,
  type HookTarget,
  type SettingsPlan,
} from '../../watch/index.js';
import { confirmed } from '../carry-out.js';
import { ExitCode } from '../exit-code.js';
import type { HookInstallFlags } from '../commands/hook.js';
import { note, say } from '../streams.js';
import { assayCommand } from '../this-program.js';
import { watchContext, type WatchContext } from '../watch-context.js';

/** The settings file that a command is about. */
function targetOf(agent: HookAgent, context: WatchContext, flags: HookInstallFlags): HookTarget {
  const scope = hookScope(agent, flags.scope);
  const file = agent.file(scope, context.loaded.root, process.env);
  return { agent, scope, file, installs: context.place.installs };
}

/** The line that the agent is to run. */
function lineOf(target: HookTarget, context: WatchContext, flags: HookInstallFlags): string {
  const { agent, scope } = target;
  const { configFile } = context;
  if (scope === 'user' && configFile === null) {
    throw new AssayError('USAGE', 'a hook in the settings of the user runs in every project', {
      fix: 'make an assay.config.yaml first (assay init), so that the hook knows which suite it is for',
    });
  }
  const own = ['hook', '--agent', agent.name, ...(configFile === null ? [] : ['--config', configFile])];
  if (flags.command === undefined) return shellLine([...assayCommand(), ...own]);
  const words = shellWords(flags.command);
  // A line for a whole team names no path of this machine.
  const shared = scope === 'project' ? own.slice(0, 3) : own;
  return words === null ? `${flags.command} ${shellLine(shared)}` : shellLine([...words, ...shared]);
}

async function sayDiff({ target, before, after }: SettingsPlan, cwd: string): Promise<void> {
  const { createTwoFilesPatch } = await import('diff');
  const name = displayPath(target.file, cwd);
  const [old, fresh] = [before === null ? '/dev/null' : name, after === null ? '/dev/null' : name];
  say(terminalSafe(createTwoFilesPatch(old, fresh, before ?? '', after ?? '', '', '')));
}

/**
 * Shows the change and makes it once a person confirms.
 * @throws ExitCode 1 when nobody did: a script must not take for done what was only shown
 */
async function carriedOut(plan: SettingsPlan, flags: HookInstallFlags): Promise<void> {
  const cwd = process.cwd();
  await sayDiff(plan, cwd);
  if (!(await confirmed(flags))) throw new ExitCode(1);
  const kept = await applySettings(plan, systemSource().now());
  const name = displayPath(plan.target.file, cwd);
  say(terminalSafe(`${plan.after === null ? 'removed' : 'wrote'} ${name}`));
  if (kept !== null) note(`as it was before: ${displayPath(kept, cwd)}`);
}

/** `assay hook install`. */
export async function hookInstallAction(flags: HookInstallFlags): Promise<void> {
  const agent = hookAgent(flags.agent ?? '');
  const context = await watchContext(process.cwd(), flags.config);
  const target = targetOf(agent, context, flags);
  const off = await switchedOff(target);
  if (off !== null) {
    throw new AssayError('INPUT', `${agent.title} runs no hooks here: ${off}`, {
      fix: 'switch them on first; nothing was changed',
    });
  }
  const plan = planInstall(target, lineOf(target, context, flags));
  if (plan.after === plan.before) {
    say(terminalSafe(`the hook is in ${displayPath(target.file, process.cwd())} already; nothing to change`));
    return;
  }
  await carriedOut(plan, flags);
  note(agent.remark);
  if (target.scope === 'project' && flags.command === undefined)
    note('the line names paths of this machine; for a team, write --command "npx assay"');
  say('next: assay hook doctor');
}

/** `assay hook uninstall`. */
export async function hookUninstallAction(flags: HookInstallFlags): Promise<void> {
  const agent = hookAgent(flags.agent ?? '');
  const context = await watchContext(process.cwd(), flags.config);
  const target = targetOf(agent, context, flags);
  const plan = planUninstall(target);
  if (plan.after === plan.before) {
    say(terminalSafe(`no hook of Assay is in ${displayPath(target.file, process.cwd())}; nothing to change`));
    return;
  }
  await carriedOut(plan, flags);
}
