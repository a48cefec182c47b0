import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { AssayError, errorMessage, PROTOCOLS, terminalLine, type Protocol } from '../../core/index.js';
import { loadSuite, serveCase } from '../../run/index.js';
import { readDistribution, type Case } from '../../suite/index.js';
import {
  describeExchange,
  startDistributionServer,
  type Exchange,
  type TrialWireReport,
} from '../../wire/index.js';
import type { ServeFlags } from '../commands/serve.js';
import { ExitCode } from '../exit-code.js';
import { note, say } from '../streams.js';

type Urls = { readonly [Name in Protocol]: string };

/** Waits for Ctrl-C or an end from inside. */
function untilStopped(): { stopped: Promise<void>; stop: () => void } {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  return { stopped, stop: () => stop() };
}

function sayReady(urls: Urls, flags: ServeFlags): void {
  if (flags.json === true) {
    say(JSON.stringify({ type: 'ready', urls }));
    return;
  }
  const shown = flags.protocol === undefined ? PROTOCOLS : [flags.protocol];
  for (const protocol of shown) say(`${protocol.padEnd(16)} ${urls[protocol]}`);
  note('any key will do; Ctrl-C ends it');
}

function sayExchange(exchange: Exchange, flags: ServeFlags): void {
  if (flags.json !== true) {
    say(terminalLine(describeExchange(exchange)));
    return;
  }
  const { number, outcome, lane, turn, retryOf, request, reply, error, fault } = exchange;
  const { protocol, model } = request;
  say(
    JSON.stringify({
      type: 'exchange',
      number,
      outcome,
      lane,
      turn,
      retryOf,
      protocol,
      model,
      fresh: exchange.fresh,
      reply,
      error,
      fault,
    }),
  );
}

function sayReport(report: TrialWireReport, flags: ServeFlags): void {
  if (flags.json === true) {
    say(JSON.stringify({ type: 'report', ...report }));
    return;
  }
  say(`${report.requests} requests, ${report.steps} steps given`);
  for (const line of report.notes) say(`note     ${terminalLine(line)}`);
  for (const problem of report.problems) say(`problem  ${terminalLine(problem.message)}`);
}

async function onlyCase(fixture: string, wanted: string | undefined): Promise<Case> {
  const suite = await loadSuite(fixture, { gate: false });
  const cases = [...suite.cases];
  const found = wanted === undefined ? cases[0] : cases.find((each) => each.id === wanted);
  if (found === undefined || (wanted === undefined && cases.length > 1)) {
    const names = cases.slice(0, 10).map((each) => each.id);
    throw new AssayError(
      'USAGE',
      wanted === undefined ? `${fixture} holds ${cases.length} cases` : `${fixture} has no case ${wanted}`,
      { fix: `name one with --case: ${names.join(', ')}${cases.length > names.length ? ', …' : ''}` },
    );
  }
  return found;
}

async function serveDistribution(file: string, flags: ServeFlags): Promise<void> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `${file} cannot be read: ${errorMessage(error)}`);
  }
  const { seed, steps } = readDistribution(file, text);
  const server = await startDistributionServer({
    steps,
    seed: flags.seed ?? seed,
    port: flags.port,
    onExchange: (exchange) => sayExchange(exchange, flags),
  });
  const { stopped } = untilStopped();
  sayReady(server.urls, flags);
  await stopped;
  await server.close();
}

/** `assay serve`. Exit code 1 when what was asked is not what the script meant. */
export async function serveAction(fixture: string, flags: ServeFlags): Promise<void> {
  if (flags.distribution === true) return serveDistribution(fixture, flags);
  const tested = await onlyCase(fixture, flags.case);
  const steps =
    tested.turns.reduce((sum, turn) => sum + (turn.steps?.length ?? 0), 0) +
    (tested.lanes ?? []).reduce((sum, lane) => sum + lane.steps.length, 0);
  const { stopped, stop } = untilStopped();
  let given = 0;
  const { server, trial } = await serveCase(tested, {
    port: flags.port,
    ...(flags.writeBytes === undefined ? {} : { writeBytes: flags.writeBytes }),
    places: { workspace: process.cwd(), home: homedir() },
    onExchange: (exchange) => {
      sayExchange(exchange, flags);
      if (exchange.outcome === 'step' && exchange.retryOf === null) given += 1;
      if (flags.once === true && given >= steps) stop();
    },
  });
  sayReady(trial.urls, flags);
  await stopped;
  const report = trial.close();
  await server.close();
  sayReport(report, flags);
  if (report.problems.length > 0) throw new ExitCode(1);
}
