import type { LoadedConfig } from '../config/index.js';
import { systemSource } from '../core/index.js';
import type { GradeContext } from '../grade/index.js';
import type { Suite } from '../suite/index.js';
import { modelServices } from './choose-model.js';
import { prepareJudge } from './judge-for.js';

/** What the commands that look after suites say about the judge. */
export interface JudgeFlags {
  judges?: boolean;
  judge?: string;
  quiet?: boolean;
}

/** The judge of a suite outside a run; null unless `--judges` asks for it. `agent` is the model it judges. */
export async function suiteJudge(
  suite: Suite,
  agent: string,
  flags: JudgeFlags,
  loaded: LoadedConfig,
  cwd: string,
): Promise<GradeContext['judge'] | null> {
  if (flags.judges !== true) return null;
  const source = systemSource();
  const judge = await prepareJudge(suite, agent, {
    flags: {
      format: 'table',
      color: false,
      store: true,
      cache: true,
      quiet: flags.quiet === true,
      ...(flags.judge === undefined ? {} : { judge: flags.judge }),
    },
    loaded,
    cwd,
    source,
    cancel: new AbortController().signal,
    services: modelServices(loaded, source, true),
  });
  return judge.grade.judge ?? null;
}
