/** What is shown in browsers and dashboards, on this machine only. */
export { serveEvals, type EvalsApi, type EvalsApiOptions } from './evals-api.js';
