/** Configuration: `assay.config.yaml|json|toml`. */
export { loadConfig, type LoadedConfig } from './load.js';
export { configSchema, type Config } from './schema.js';
export { SENTINEL_PRESETS, sentinelPreset, type ConfigChange, type SentinelPreset } from './config-change.js';
