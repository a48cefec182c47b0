/** Name of Assay's own skill: of its directory and in its front matter. */
export const SKILL_NAME = 'assay';

/** The workflows of Assay's skill, by the names that the execution log knows. */
export const WORKFLOWS = [
  'RunEval',
  'CreateUseCase',
  'CreateJudge',
  'ComparePrompts',
  'CompareModels',
  'ViewResults',
  'CreateScenario',
  'RunScenario',
] as const;
