import { displayPath } from '../../suite/index.js';
import { readLog } from '../../watch/index.js';
import type { HookLogFlags } from '../commands/hook.js';
import { note, say } from '../streams.js';
import { watchContext } from '../watch-context.js';
import { entryLine } from '../watch-lines.js';

/** `assay hook log`. */
export async function hookLogAction(flags: HookLogFlags): Promise<void> {
  const { place, loaded } = await watchContext(process.cwd(), flags.config);
  const entries = readLog(place.log).slice(-flags.lines);
  if (entries.length === 0) note('nothing has fired yet; assay hook doctor shows whether a hook would');
  for (const entry of entries) {
    say(
      flags.json === true
        ? JSON.stringify(entry)
        : entryLine(entry, (path) => displayPath(path, loaded.root)),
    );
  }
}
