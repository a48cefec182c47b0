/** How much of a large run a report for people shows. JSON is never cut. */
export interface ReportLimits {
  /** Suites with more cases than this do not list the ones that passed. */
  listedCases: number;
  /** Cases that failed, could not be scored or need a look, shown in full; the rest by pointer. */
  failures: number;
  /** Failing trials shown of one case. */
  trials: number;
  /** Failing checks shown of one trial. */
  checks: number;
  /** Lines shown of one check's evidence. */
  evidenceLines: number;
  /** Characters shown of one check's evidence. */
  evidenceCharacters: number;
}

/** The limits that hold unless others are given. */
export const defaultLimits: Readonly<ReportLimits> = {
  listedCases: 50,
  failures: 20,
  trials: 3,
  checks: 10,
  evidenceLines: 6,
  evidenceCharacters: 600,
};

/** The default limits with some replaced. */
export function withLimits(limits: Partial<ReportLimits> | undefined): ReportLimits {
  return { ...defaultLimits, ...limits };
}
