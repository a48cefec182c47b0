export { StatsError, statsErrorCodes, type StatsErrorCode } from './error.js';
export { type StatsGroup, type StatsInput, type StatsOutput } from './group.js';
export { statsGroups } from './registry.js';
export { naivePassAtK, naivePassHatK, passAtK, passHatK, type DrawsInput, type Value } from './pass-k.js';
export {
  bayesPassK,
  estimatorExpectation,
  suitePassK,
  type BayesPassK,
  type BayesPassKInput,
  type EstimatorExpectation,
  type EstimatorExpectationInput,
  type SuitePassK,
  type SuitePassKInput,
} from './pass-k-suite.js';
export {
  betaBinomialCredible,
  clopperPearson,
  clopperPearsonLowerOneSided,
  minTrialsAllPass,
  wilson,
  wilsonContinuity,
  type CredibleInput,
  type CredibleInterval,
  type Interval,
  type MinTrialsInput,
  type RateInput,
} from './intervals.js';
export {
  clusteredStandardError,
  pairedDifference,
  standardErrorOfMean,
  type ClusteredError,
  type ClusteredInput,
  type MeanError,
  type PairedDifference,
  type PairedInput,
} from './standard-error.js';
export {
  fisherExact,
  mcnemar,
  newcombeDifference,
  probBGreaterThanA,
  type FisherExact,
  type FisherInput,
  type Mcnemar,
  type McnemarInput,
  type RateDifference,
  type RateDifferenceInput,
  type TwoRatesInput,
} from './comparison.js';
export {
  pairedPermutation,
  pairedPermutationSampled,
  type PairedPermutation,
  type SampledPermutationInput,
} from './permutation.js';
export {
  bootstrapExhaustive,
  bootstrapMean,
  type BcaInterval,
  type BootstrapInput,
  type BootstrapMean,
  type ExhaustiveBootstrap,
  type ExhaustiveInput,
} from './bootstrap.js';
export {
  mdeFromSe,
  mdeMiller,
  sampleSizeMiller,
  sampleSizeOneSample,
  sampleSizePairedBinary,
  sampleSizeUnpaired,
  type DetectableEffect,
  type MillerEffectPlan,
  type MillerSizePlan,
  type OneSamplePlan,
  type PairedBinaryPlan,
  type PlanErrors,
  type SampleSize,
  type StandardErrorPlan,
  type SuiteVariance,
  type UnpairedPlan,
} from './power.js';
export {
  cohenKappa,
  gwetAC1,
  weightedKappa,
  type AgreementInput,
  type CohenKappa,
  type WeightedKappaInput,
} from './agreement.js';
export {
  fleissKappa,
  icc11,
  krippendorffAlpha,
  type FleissKappa,
  type Icc11,
  type KrippendorffAlpha,
  type KrippendorffInput,
  type MeasurementLevel,
} from './multi-rater.js';
export {
  predictionPoweredMean,
  roganGladen,
  roganGladenAdjusted,
  type JudgedRateInput,
  type PredictionPoweredInput,
  type PredictionPoweredMean,
  type RoganGladen,
} from './judge-correction.js';
export {
  judgeTrust,
  positionBias,
  sensitivitySpecificity,
  type ConfusionInput,
  type JudgeTrust,
  type JudgeTrustInput,
  type PositionBias,
  type SensitivitySpecificity,
  type Slot,
} from './judge-trust.js';
export { altTest, type AltTest, type AltTestInput } from './annotator-test.js';
export {
  benjaminiHochberg,
  benjaminiYekutieli,
  holm,
  type Adjusted,
  type FamilyInput,
} from './multiplicity.js';
export {
  bradleyTerry,
  elo,
  type BradleyTerry,
  type BradleyTerryInput,
  type EloInput,
  type Game,
} from './ranking.js';
export { kendallTau, type KendallInput, type KendallTau } from './rank-correlation.js';
export {
  bleu4,
  levenshtein,
  rougeL,
  type Bleu,
  type BleuInput,
  type Levenshtein,
  type RougeInput,
  type RougeL,
  type TextPair,
} from './text-similarity.js';
export {
  sprt,
  sprtOperatingCharacteristic,
  type OperatingCharacteristic,
  type OperatingInput,
  type Outcome,
  type Sprt,
  type SprtDecision,
  type SprtInput,
  type SprtRule,
} from './sequential.js';
export {
  betaBinomialConfidenceSequence,
  betaBinomialEValue,
  hoeffdingMixtureConfidenceSequence,
  mcnemarEValue,
  type ConfidenceSequenceInput,
  type DiscordantCounts,
  type EValue,
  type EValueInput,
  type EvidenceCounts,
  type HoeffdingInput,
} from './evidence.js';
export {
  curtailedExpectedTrials,
  curtailedUnbiasedRate,
  curtailedVerdict,
  predictiveVerdict,
  type CurtailedExpectation,
  type CurtailedExpectationInput,
  type CurtailedInput,
  type CurtailedVerdict,
  type CurtailmentRule,
  type PredictiveInput,
  type StoppedInput,
} from './curtailment.js';
export {
  disagreementProbability,
  threeValuedGate,
  type GateInput,
  type GateVerdict,
  type TrialCounts,
} from './decision.js';
export { boundedMeanBounds, type BoundedMeanInput } from './bounded-mean.js';
export { bettingConfidenceSequence, type BettingInput } from './betting.js';
export { repeatedPassRateInterval, type RepeatedCase, type RepeatedPassRate } from './repeated-cases.js';
export { normalCdf, normalQuantile } from './normal.js';
export { betaCdf, betaQuantile, type BetaCdfInput, type BetaQuantileInput } from './beta.js';
export { studentTCdf, studentTQuantile } from './student-t.js';
export { quantileType7, type QuantileInput } from './quantile.js';
export { hashSeed, mulberry32, seededRandom, type Mulberry32Input, type Random } from './random.js';
