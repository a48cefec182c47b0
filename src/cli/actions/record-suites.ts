import { join } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { AssayError, quote, systemSource, terminalLine } from '../../core/index.js';
import type { RecordOptions } from '../../run/index.js';
import type { Suite } from '../../suite/index.js';
import type { RunFlags } from '../commands/run.js';
import { ExitCode } from '../exit-code.js';
import { listenForInterrupts } from '../interrupt.js';
import { openSuites } from '../open-suites.js';
import { selectedCases, selectSuites } from '../select-cases.js';
import { note } from '../streams.js';
import { recordAgain, upstreamsFor, writeFixture } from './record-action.js';

function refuseOthers(suites: readonly Suite[]): void {
  const other = suites.find((suite) => suite.format !== 'trace');
  if (other === undefined) return;
  throw new AssayError('MODE', `${quote(other.name)} has no script that could be recorded again`, {
    fix: 'name a suite of trace fixtures; assay record makes new ones',
  });
}

/**
 * `assay run --mode record`: records the selected fixtures again, each once, in place. A fixture is replaced only when
 * its run went well. Exit code 1 when some did not.
 */
export async function recordSuites(flags: RunFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const opened = await openSuites(flags.suite ?? [], { loaded, cwd, gate: false });
  refuseOthers(opened);
  const suites = selectSuites(opened, {
    filters: flags.filter ?? [],
    ids: flags.case ?? [],
    tags: flags.tag ?? [],
  });
  const named = flags.model ?? loaded.config.eval.live_provider;
  const model = named === '' ? {} : { model: named };
  const interrupt = listenForInterrupts();
  const options: RecordOptions = {
    ...(await upstreamsFor(model, loaded, cwd)),
    source: systemSource(),
    turnTimeoutMs: (flags.timeout ?? loaded.config.eval.case_timeout_secs) * 1000,
    signal: interrupt.cancel,
  };
  let failed = 0;
  try {
    for (const selected of suites) {
      for (const tested of selectedCases(selected)) {
        if (interrupt.stop.aborted) break;
        const file = join(selected.suite.root, tested.source.name);
        const { fixture, notes, error } = await recordAgain({}, file, options);
        for (const line of notes) note(`${tested.id}: ${terminalLine(line)}`);
        if (error === null) writeFixture(fixture, file, true);
        else {
          failed += 1;
          note(terminalLine(`${tested.id}: not recorded (${error.kind}): ${error.message}`));
        }
      }
    }
  } finally {
    interrupt.release();
  }
  const signalled = interrupt.exitCode();
  if (signalled !== null) throw new ExitCode(signalled);
  if (failed > 0) throw new ExitCode(1);
}
