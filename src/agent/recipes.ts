import { presetFacts, type AgentPreset, type Protocol } from '../core/index.js';

/** How one turn of a well-known agent is started. Placeholders stand in all of it. */
export interface Recipe {
  /** Its command line, looked for on PATH and in the usual places. */
  program: string;
  arguments: string[];
  env: { [name: string]: string };
  /** Files in its private home: relative path to text. */
  files: { [path: string]: string };
}

/** What is known of a well-known agent besides how it is started. */
export interface PresetProgram {
  program: string;
  /** How to get it. */
  install: string;
  /** The version the recipe was tried with. */
  tried: string;
}

/** Any key will do: the scripted model takes all of them. */
const KEY = 'sk-assay-scripted';

const PROGRAMS: { readonly [Name in AgentPreset]: PresetProgram } = {
  'claude-code': {
    program: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    tried: '2.1.332',
  },
  codex: { program: 'codex', install: 'npm install -g @openai/codex', tried: '0.171.0' },
  pi: { program: 'pi', install: 'npm install -g @mariozechner/pi-coding-agent@0.73.1', tried: '0.73.1' },
  opencode: { program: 'opencode', install: 'npm install -g opencode-ai', tried: '1.18.33' },
  'gemini-cli': { program: 'gemini', install: 'npm install -g @google/gemini-cli', tried: '0.61.0' },
  'qwen-code': { program: 'qwen', install: 'npm install -g @qwen-code/qwen-code', tried: '0.24.4' },
  copilot: { program: 'copilot', install: 'npm install -g @github/copilot', tried: '1.0.102' },
  continue: { program: 'cn', install: 'npm install -g @continuedev/cli', tried: '1.5.47' },
};

/** The program of a well-known agent. */
export function presetProgram(preset: AgentPreset): PresetProgram {
  return PROGRAMS[preset];
}

interface Choice {
  protocol: Protocol;
  model: string;
}

type Parts = Omit<Recipe, 'program'>;

const MODELS: { readonly [Name in Protocol]: string } = {
  anthropic: 'claude-sonnet-4-5',
  'openai-chat': 'gpt-5',
  'openai-responses': 'gpt-5',
  gemini: 'gemini-2.5-flash',
};

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function claudeCode({ model }: Choice): Parts {
  return {
    arguments: [
      '-p',
      '{{prompt}}',
      '--no-session-persistence',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      model,
      '--allowedTools',
      'Bash',
      'Write',
      'Edit',
      'Read',
    ],
    env: {
      ANTHROPIC_BASE_URL: '{{model_base}}',
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    files: {},
  };
}

function codex({ model }: Choice): Parts {
  return {
    arguments: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '{{prompt}}',
    ],
    env: { ASSAY_MODEL_KEY: KEY },
    files: {
      '.codex/config.toml': [
        `model = ${JSON.stringify(model)}`,
        'model_provider = "assay"',
        'check_for_update_on_startup = false',
        '[model_providers.assay]',
        'name = "assay"',
        'base_url = "{{model_url}}"',
        'env_key = "ASSAY_MODEL_KEY"',
        'wire_api = "responses"',
        '[analytics]',
        'enabled = false',
        '[features]',
        'plugins = false',
        'apps = false',
        '',
      ].join('\n'),
    },
  };
}

const PI_API: { readonly [Name in Protocol]: string } = {
  anthropic: 'anthropic-messages',
  'openai-chat': 'openai-completions',
  'openai-responses': 'openai-responses',
  gemini: 'google-generative-ai',
};

function pi({ protocol, model }: Choice): Parts {
  const provider = { baseUrl: '{{model_url}}', api: PI_API[protocol], apiKey: KEY, models: [{ id: model }] };
  return {
    arguments: [
      '-p',
      '--mode',
      'json',
      '--provider',
      'assay',
      '--model',
      model,
      '--offline',
      '--no-session',
      '{{prompt}}',
    ],
    env: {},
    files: { '.pi/agent/models.json': json({ providers: { assay: provider } }) },
  };
}

const OPENCODE_PACKAGE: { readonly [Name in Protocol]: string } = {
  anthropic: '@ai-sdk/anthropic',
  'openai-chat': '@ai-sdk/openai-compatible',
  'openai-responses': '@ai-sdk/openai',
  gemini: '@ai-sdk/google',
};

function opencode({ protocol, model }: Choice): Parts {
  const provider = {
    npm: OPENCODE_PACKAGE[protocol],
    // Its packages want the version in the address whatever the protocol.
    options: { baseURL: '{{model_base}}/v1', apiKey: KEY },
    models: { [model]: {} },
  };
  return {
    arguments: ['run', '--format', 'json', '--auto', '--pure', '--title', 'assay', '{{prompt}}'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    files: {
      '.config/opencode/opencode.json': json({
        model: `assay/${model}`,
        provider: { assay: provider },
        autoupdate: false,
        share: 'disabled',
      }),
    },
  };
}

function geminiCli({ model }: Choice): Parts {
  return {
    arguments: ['-p', '{{prompt}}', '-o', 'stream-json', '--yolo', '--skip-trust', '-m', model],
    env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: '{{model_base}}' },
    files: {
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  };
}

function qwenCode({ model }: Choice): Parts {
  return {
    arguments: ['{{prompt}}', '-o', 'stream-json', '--yolo', '--auth-type', 'openai', '--bare'],
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: '{{model_base}}/v1', OPENAI_MODEL: model },
    files: {},
  };
}

function copilot({ protocol, model }: Choice): Parts {
  const wireApi = protocol === 'openai-responses' ? 'responses' : 'completions';
  return {
    arguments: ['-p', '{{prompt}}', '--allow-all-tools', '--allow-all-paths', '--output-format', 'json'],
    env: {
      COPILOT_PROVIDER_BASE_URL: '{{model_url}}',
      COPILOT_PROVIDER_TYPE: protocol === 'anthropic' ? 'anthropic' : 'openai',
      COPILOT_PROVIDER_WIRE_API: wireApi,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: model,
      COPILOT_OFFLINE: 'true',
    },
    files: {},
  };
}

function continueDev({ model }: Choice): Parts {
  return {
    arguments: ['-p', '{{prompt}}', '--config', '{{home}}/continue.yaml', '--auto'],
    env: {},
    files: {
      // YAML that is JSON, so that no name can break it.
      'continue.yaml': json({
        name: 'assay',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'assay',
            provider: 'openai',
            model,
            apiBase: '{{model_base}}/v1',
            apiKey: KEY,
            capabilities: ['tool_use'],
          },
        ],
      }),
    },
  };
}

const RECIPES: { readonly [Name in AgentPreset]: (choice: Choice) => Parts } = {
  'claude-code': claudeCode,
  codex,
  pi,
  opencode,
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
  copilot,
  continue: continueDev,
};

/**
 * How a well-known agent is started with its model at another address.
 * @param protocol absent: the agent's usual one
 * @param model absent: a name that the protocol's agents know
 */
export function presetRecipe(preset: AgentPreset, protocol?: Protocol, model?: string): Recipe {
  const spoken = protocol ?? presetFacts(preset).protocols[0];
  const parts = RECIPES[preset]({ protocol: spoken, model: model ?? MODELS[spoken] });
  return { program: PROGRAMS[preset].program, ...parts };
}
