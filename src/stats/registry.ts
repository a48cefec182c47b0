import { agreementGroups } from './agreement.js';
import { annotatorTestGroups } from './annotator-test.js';
import { bootstrapGroups } from './bootstrap.js';
import { comparisonGroups } from './comparison.js';
import { curtailmentGroups } from './curtailment.js';
import { decisionGroups } from './decision.js';
import { distributionGroups } from './distribution-groups.js';
import { evidenceGroups } from './evidence.js';
import type { StatsGroup } from './group.js';
import { intervalGroups } from './intervals.js';
import { judgeCorrectionGroups } from './judge-correction.js';
import { judgeTrustGroups } from './judge-trust.js';
import { multiRaterGroups } from './multi-rater.js';
import { multiplicityGroups } from './multiplicity.js';
import { passKGroups } from './pass-k.js';
import { passKSuiteGroups } from './pass-k-suite.js';
import { permutationGroups } from './permutation.js';
import { powerGroups } from './power.js';
import { quantileGroups } from './quantile.js';
import { randomGroups } from './random.js';
import { rankCorrelationGroups } from './rank-correlation.js';
import { rankingGroups } from './ranking.js';
import { sequentialGroups } from './sequential.js';
import { standardErrorGroups } from './standard-error.js';
import { textSimilarityGroups } from './text-similarity.js';

const groups: readonly StatsGroup[] = [
  ...passKGroups,
  ...passKSuiteGroups,
  ...intervalGroups,
  ...standardErrorGroups,
  ...comparisonGroups,
  ...permutationGroups,
  ...bootstrapGroups,
  ...powerGroups,
  ...agreementGroups,
  ...multiRaterGroups,
  ...judgeCorrectionGroups,
  ...multiplicityGroups,
  ...rankingGroups,
  ...rankCorrelationGroups,
  ...textSimilarityGroups,
  ...sequentialGroups,
  ...evidenceGroups,
  ...curtailmentGroups,
  ...decisionGroups,
  ...judgeTrustGroups,
  ...annotatorTestGroups,
  ...distributionGroups,
  ...quantileGroups,
  ...randomGroups,
];

/** Every statistic by name, from everyday ones to building blocks; made for callers that only have JSON. */
export const statsGroups: ReadonlyMap<string, StatsGroup> = new Map(
  groups.map((group) => [group.name, group]),
);
