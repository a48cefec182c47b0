/**
 * Environment variable that marks everything started by the run of a changed configuration. A hook that finds it does
 * nothing, so that a run can never set off the next one; it is passed on where the environment is an allowlist.
 */
export const CONFIG_CHANGE_MARKER = 'ASSAY_CONFIG_CHANGE';
