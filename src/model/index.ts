/** Models: who answers. */
export { ScriptError, ScriptedModel } from './scripted-model.js';
