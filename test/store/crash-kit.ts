import { spawn } from 'node:child_process';

/** A child process that is to be killed while it works, and says a line for everything it promises. */
export interface CrashCommand {
  /** Program and arguments, without a shell. */
  command: readonly [string, ...string[]];
  directory?: string;
  environment?: NodeJS.ProcessEnv;
}

/** How one round ended. */
export interface CrashRound {
  /** 0-based. */
  round: number;
  /** Whole lines that the child printed before it died, without their line feeds. */
  lines: string[];
  /** False when the child had ended before the moment came. */
  killed: boolean;
  /** What the child printed on its error stream. */
  errors: string;
  /** Exit code of a child that ended by itself. */
  exitCode: number | null;
}

export interface CrashPlan {
  rounds: number;
  /** The same seed gives the same moments. */
  seed: number;
  /** A moment lies after 0 to this many printed lines. */
  mostLines: number;
  /** And then after a further pause of 0 to this many milliseconds. */
  mostMilliseconds: number;
  start: (round: number) => CrashCommand;
  /** Checks what is left; called after every round. */
  check: (round: CrashRound) => void | Promise<void>;
}

/** Uniform numbers in [0, 1) from a seed: Marsaglia's 32-bit xorshift. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function runOnce(round: number, start: CrashCommand, afterLines: number, pause: number): Promise<CrashRound> {
  const [program, ...parameters] = start.command;
  const child = spawn(program, parameters, {
    cwd: start.directory,
    env: start.environment ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  let seen = 0;
  let aimed = false;
  const aim = (): void => {
    if (aimed || seen < afterLines) return;
    aimed = true;
    setTimeout(() => child.kill('SIGKILL'), pause);
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    seen += text.split('\n').length - 1;
    aim();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  aim();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // `close` comes after everything the child printed has been read.
    child.on('close', (exitCode, signal) => {
      const lines = output.split('\n').slice(0, -1);
      resolve({ round, lines, killed: signal === 'SIGKILL', errors, exitCode });
    });
  });
}

/** Starts a command again and again and kills it with SIGKILL at random moments, checking after every death. */
export async function killAtRandomMoments(plan: CrashPlan): Promise<void> {
  const random = seededRandom(plan.seed);
  for (let round = 0; round < plan.rounds; round += 1) {
    const afterLines = Math.floor(random() * (plan.mostLines + 1));
    const pause = random() * plan.mostMilliseconds;
    await plan.check(await runOnce(round, plan.start(round), afterLines, pause));
  }
}

/** Runs a command to its end. */
export function runToEnd(start: CrashCommand): Promise<CrashRound> {
  return runOnce(0, start, Number.POSITIVE_INFINITY, 0);
}
