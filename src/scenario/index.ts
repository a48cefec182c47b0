/** Scenarios: conversations whose user is simulated, scripted or recorded. */
export { scenarioUser, type ScenarioUserOptions } from './scenario-user.js';
export { simulatorRecordingText } from './recording-text.js';
export { newScenario, type NewScenario } from './new-scenario.js';
