import { CommandSession, OPEN_NETWORK, scriptDisagreement, type AgentSession } from '../agent/index.js';
import { AssayError, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { writeRecordedRequest, type Case, type CaseRequest, type CommandAgent } from '../suite/index.js';
import type { PreparedAgent } from '../trial/index.js';
import {
  expandRequests,
  fixtureFromCapture,
  type Capture,
  type CaptureHandle,
  type RecordingProxy,
  type ScriptedServer,
} from '../wire/index.js';
import { portable } from './recorded-fixture.js';
import { placesOf } from './wired-agents.js';
import { wireScript, type ScriptPlaces } from './wire-script.js';

/** The servers of a turn that is recorded again: one plays the turns before it, one stands before the provider. */
export interface TurnServers {
  server: ScriptedServer;
  proxy: RecordingProxy;
}

/** Makes an agent ready whose turns before `turn` are scripted as they were, and whose `turn` asks the provider. */
export function prepareTurn(
  tested: Case,
  agent: CommandAgent,
  turn: number,
  servers: TurnServers,
  onCapture: (capture: Capture, places: ScriptPlaces) => void,
): PreparedAgent {
  return {
    workspace: true,
    open(context): AgentSession {
      const places = placesOf(context);
      const before = { ...tested, turns: tested.turns.slice(0, turn) };
      const wire =
        turn === 0 ? null : servers.server.openTrial({ id: tested.id, script: wireScript(before, places) });
      const handle: CaptureHandle = servers.proxy.openCapture({ id: tested.id });
      const session = new CommandSession({
        agent,
        model: (index) => (index < turn && wire !== null ? wire : handle),
        network: OPEN_NETWORK,
        workspace: () => context.workspace(),
        home: () => context.home(),
        environment: () => context.environment(),
        outer: process.env,
        signal: context.signal,
        exitCounts: false,
      });
      return {
        async turn(user, index) {
          if (index === turn) handle.beginTurn(user);
          const text = await session.turn(user, index);
          if (index < turn) wire?.endTurn();
          if (index === turn - 1 && wire !== null) {
            const { problems } = wire.close();
            if (problems.length > 0) throw scriptDisagreement(problems.map((problem) => problem.message));
          }
          return text;
        },
        observed: () => session.observed(),
        async close() {
          await session.close();
          wire?.close();
          onCapture(handle.close(), places);
        },
      };
    },
  };
}

/** What a later run of the same agent sends anew: not the history before the user's last words. */
function onlyNew<Request extends Pick<CaseRequest, 'messages'>>(request: Request): Request {
  const last = request.messages.findLastIndex((message) => message.role === 'user');
  return { ...request, messages: request.messages.slice(Math.max(0, last)) };
}

function stepsOf(turn: JsonValue | undefined): JsonValue[] {
  const steps = isJsonObject(turn) ? turn['steps'] : undefined;
  return Array.isArray(steps) ? steps : [];
}

/**
 * A fixture with the steps of one turn, and the requests that got them, replaced by those of a capture.
 * @throws AssayError `INPUT` when nothing was captured
 */
export function withTurn(
  fixture: JsonObject,
  tested: Case,
  turn: number,
  seen: { capture: Capture; places: ScriptPlaces | null },
): { fixture: JsonObject; notes: string[] } {
  const captured = fixtureFromCapture(seen.capture, tested.id);
  const turns = Array.isArray(fixture['turns']) ? fixture['turns'] : [];
  const recordedTurns = captured.fixture['turns'];
  const steps = (Array.isArray(recordedTurns) ? recordedTurns : []).flatMap(stepsOf);
  if (steps.length === 0) {
    throw new AssayError('INPUT', `nothing was recorded for turn ${turn + 1}: the provider gave no answer`, {
      fix: captured.notes[0] ?? '',
    });
  }
  const changed: JsonObject = {
    ...fixture,
    turns: turns.map((each, index) => (index === turn && isJsonObject(each) ? { ...each, steps } : each)),
  };
  if (tested.recorded !== undefined && isJsonObject(fixture['recorded'])) {
    const counts = turns.map((each) => stepsOf(each).length);
    const start = counts.slice(0, turn).reduce((sum, count) => sum + count, 0);
    const anew = expandRequests(captured.requests).map((request, index) =>
      index === 0 ? onlyNew(request) : request,
    );
    const requests = expandRequests(tested.recorded.requests).toSpliced(start, counts[turn] ?? 0, ...anew);
    changed['recorded'] = { ...fixture['recorded'], requests: requests.map(writeRecordedRequest) };
  }
  const written = portable(changed, seen.places);
  return { fixture: isJsonObject(written) ? written : changed, notes: captured.notes };
}
