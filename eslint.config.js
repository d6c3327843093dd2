import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { APPS_WITH_ROWS, featureFolders } from './scripts/feature-folders.mjs';

/**
 * Packages that only a few folders may import. A name includes the package's subpaths, a scope all its packages. Used per
 * project by the layers below, and per folder by `imports`.
 */
const RESERVED = {
  stripe: { names: ['stripe'], message: 'only apps/api/payments may import Stripe' },
  ssh2: { names: ['ssh2'], message: 'only apps/provisioner/ssh and the sandbox may import ssh2' },
  clouds: {
    names: [
      '@aws-sdk',
      '@smithy',
      '@azure',
      '@google-cloud',
      'google-auth-library',
      'googleapis',
      '@googleapis',
      'undici',
    ],
    message: 'only apps/provisioner/clouds may import cloud SDKs and the HTTP client for clouds',
  },
  brokers: {
    names: ['kafkajs', 'bull', '@nestjs/bull', 'ioredis', '@bull-board'],
    message: 'only libs/messaging/transports may import Kafka, Bull and Redis',
  },
  operations: {
    names: ['@nestjs/terminus', 'prom-client'],
    message: 'only libs/runtime may import Terminus and the Prometheus client. Use its Metrics',
  },
  random: {
    names: ['node:crypto', 'crypto'],
    importNames: ['randomUUID', 'randomBytes', 'randomInt'],
    message: 'use an injected Random',
  },
  internals: {
    names: ['@moorage/(api|provisioner|billing|messaging)/[^/]+', '@moorage/tests'],
    message: 'only tests may import the inside of a service and the folder of tests',
  },
  timers: { names: ['node:timers/promises', 'timers/promises'], message: 'use an injected Clock' },
};

/** Folders that may import reserved packages. A later row replaces an earlier one. */
const EXCEPTIONS = [
  ['apps/api/payments', 'stripe'],
  ['apps/provisioner/ssh', 'ssh2'],
  ['apps/provisioner/clouds', 'clouds'],
  ['apps/provisioner/clouds/sandbox', 'ssh2'],
  ['libs/messaging/transports', 'brokers'],
  ['bench/events', 'brokers'],
  ['tests/fixtures/transports', 'brokers'],
  ['tests/fakes', 'clouds'],
  ['tests/suites', 'clouds'],
  ['libs/runtime', 'operations'],
];

/** Tests may wait, and they play Stripe's and the SSH server's part. They also reach the inside of a service. */
const TESTS_MAY_IMPORT = ['random', 'timers', 'stripe', 'ssh2', 'internals'];

/** Parts of the UI kit that `apps/console/ui` has its own widgets for. Includes all parts of MUI's dialog. */
const OWN_WIDGETS = {
  regex: '^@mui/material/(Button|Dialog\\w*|IconButton|SnackbarContent|TablePagination|TextField)$',
  message: 'use the widget of apps/console/ui',
};

/** Returns the options of `no-restricted-imports` for files that may import these reserved packages. */
const imports = (...allowed) => [
  'error',
  {
    patterns: Object.entries(RESERVED)
      .filter(([reserved]) => !allowed.includes(reserved))
      .map(([, { names, ...restriction }]) => ({ regex: `^(${names.join('|')})(/|$)`, ...restriction })),
  },
];

/** Adds a restriction to the options of `no-restricted-imports`. */
const alsoNot = (restriction, [severity, { patterns }]) => [severity, { patterns: [...patterns, restriction] }];

/** Returns the names of reserved packages as the boundaries rule expects them. */
const packages = (...reserved) =>
  reserved.flatMap((key) => RESERVED[key].names.map((name) => (/^@[^/]+$/.test(name) ? `${name}/*` : name)));

const SERVER_EXCEPT = packages('stripe', 'ssh2', 'clouds', 'brokers', 'operations');

/** Layers and packages that each layer may import. The rule runs only through Nx (`npm run lint`). */
const layers = {
  domain: { may: ['domain'], packages: [] },
  contracts: { may: ['domain', 'contracts'], packages: ['zod'] },
  texts: { may: ['domain', 'contracts', 'texts'], packages: ['ra-language-english'] },
  server: { may: ['server'], except: SERVER_EXCEPT },
  dns: { may: ['domain', 'server', 'dns'], packages: ['zod'] },
  messaging: {
    may: ['server', 'messaging'],
    // Of Nest, only Bull and the context that contains its queues.
    except: [...packages('stripe', 'ssh2', 'clouds', 'operations'), '@nestjs/(?!(bull|core)$)*'],
  },
  database: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database'],
    except: SERVER_EXCEPT,
  },
  runtime: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database', 'runtime'],
    except: packages('stripe', 'ssh2', 'clouds', 'brokers'),
  },
  ledger: { may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger'], packages: [] },
  testing: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger', 'testing'],
    except: packages('clouds', 'brokers', 'operations'),
  },
  service: {
    may: ['domain', 'contracts', 'texts', 'server', 'dns', 'messaging', 'database', 'ledger', 'runtime'],
    except: packages('brokers', 'operations'),
  },
  shell: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger', 'runtime', 'service', 'shell'],
    except: SERVER_EXCEPT,
  },
  console: {
    may: ['domain', 'contracts', 'texts', 'console'],
    except: [...SERVER_EXCEPT, '@nestjs/*', 'typeorm', 'pg', 'fastify', '@fastify/*'],
  },
  root: { may: ['domain', 'contracts'], except: packages('clouds', 'brokers', 'operations') },
  journeys: {
    may: [
      'domain',
      'contracts',
      'texts',
      'server',
      'messaging',
      'database',
      'ledger',
      'runtime',
      'testing',
      'service',
      'journeys',
    ],
    // Brokers are restricted per folder (EXCEPTIONS).
    except: packages('clouds', 'operations'),
  },
};

const boundaries = ({ tests }) => [
  'error',
  {
    // Packages of tests/nightly.
    allow: tests ? ['testcontainers'] : [],
    banTransitiveDependencies: true,
    // The tests of a library use fixtures that are built on it.
    ignoredCircularDependencies: [
      ...Object.keys(layers).map((layer) => [layer, 'testing']),
      ...['api', 'provisioner', 'billing'].map((service) => [service, 'journeys']),
    ],
    depConstraints: Object.entries(layers).map(([layer, { may, packages, except }]) => ({
      sourceTag: `layer:${layer}`,
      onlyDependOnLibsWithTags: [
        ...may,
        ...(tests ? ['testing'] : []),
        ...(tests && (layer === 'service' || layer === 'shell') ? ['journeys'] : []),
      ].map((name) => `layer:${name}`),
      ...(packages === undefined || tests ? {} : { allowedExternalImports: packages }),
      ...(except === undefined || tests ? {} : { bannedExternalImports: except }),
    })),
  },
];

const TIME_AND_CHANCE = [
  ['Date', 'now', 'use an injected Clock'],
  ['Math', 'random', 'use an injected Random'],
  ['crypto', 'randomUUID', 'use an injected Random'],
].map(([object, property, message]) => ({ object, property, message }));

const TIMERS = ['setTimeout', 'setInterval'].map((name) => ({ name, message: 'use an injected Clock' }));

const TESTS = [
  '**/*.spec.ts',
  '**/*.spec.tsx',
  '**/*.suite.ts',
  '**/*.e2e.ts',
  'tests/**/*.ts',
  'bench/**/*.ts',
  'tests/fixtures/**/*.ts',
  '**/testing/**/*.ts',
  '**/testing.ts',
];

/** Longest function of the product in lines, without comments. */
const FUNCTION_LINES_MAX = 80;

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.nx', '.moorage', '.cache', 'coverage'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { '@nx': nx, moorage: { rules: { 'feature-folders': featureFolders } } },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': boundaries({ tests: false }),
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
      '@typescript-eslint/require-await': 'off',
      // These expressions find control characters on purpose.
      'no-control-regex': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: false },
      ],
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true },
      ],
      'no-restricted-properties': ['error', ...TIME_AND_CHANCE],
      'no-restricted-globals': ['error', ...TIMERS],
      'no-restricted-imports': imports(),
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'use an injected Clock' },
        { selector: "CallExpression[callee.name='Date']", message: 'use an injected Clock' },
      ],
    },
  },
  {
    // Migrations are lists of statements.
    files: ['apps/**/*.ts', 'apps/**/*.tsx', 'libs/**/*.ts'],
    ignores: [...TESTS, '**/testing/**/*.tsx', '**/testing.tsx', 'libs/database/migrations/**'],
    rules: {
      'max-lines-per-function': ['error', { max: FUNCTION_LINES_MAX, skipBlankLines: false, skipComments: true }],
    },
  },
  {
    // The browser's own clock and timers, which tests control with Jest.
    files: ['apps/console/**/*.ts', 'apps/console/**/*.tsx'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { parserOptions: { project: './apps/console/tsconfig.json' } },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    // Tests use several features.
    files: APPS_WITH_ROWS.flatMap((app) => [`${app}/**/*.ts`, `${app}/**/*.tsx`]),
    ignores: [...TESTS, '**/testing/**', '**/testing.tsx'],
    rules: { 'moorage/feature-folders': 'error' },
  },
  {
    files: ['apps/console/**/*.ts', 'apps/console/**/*.tsx', 'libs/texts/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.spec.tsx', '**/testing/**', '**/testing.ts', '**/testing.tsx'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: '@moorage/contracts',
          message: 'import only types, or their schemas are bundled',
          allowTypeImports: true,
        },
      ],
    },
  },
  {
    files: ['apps/console/**/*.ts', 'apps/console/**/*.tsx'],
    ignores: ['apps/console/ui/**', ...TESTS],
    rules: { 'no-restricted-imports': alsoNot(OWN_WIDGETS, imports()) },
  },
  {
    files: ['bench/console/**/*.tsx'],
    languageOptions: { parserOptions: { project: './apps/console/tsconfig.json' } },
  },
  {
    files: ['tests/browser/**/*.ts'],
    languageOptions: { parserOptions: { project: './tests/browser/tsconfig.json' } },
  },
  {
    files: ['libs/domain/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: '^[^.]', message: 'the domain imports no packages' }] }],
    },
  },
  {
    // The implementations of Clock and Random, and code that runs before a clock exists.
    files: [
      'libs/server/clock.ts',
      'libs/server/random.ts',
      'libs/server/embedded-postgres.ts',
      'libs/server/postgres-data-folder.ts',
      'libs/server/process.ts',
    ],
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': 'off',
      'no-restricted-imports': imports('random', 'timers'),
    },
  },
  ...EXCEPTIONS.map(([folder, ...allowed]) => ({
    files: [`${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': imports(...allowed) },
  })),
  {
    files: [
      '**/*.spec.ts',
      '**/*.spec.tsx',
      '**/*.suite.ts',
      'apps/**/*.e2e.ts',
      'libs/**/*.e2e.ts',
      '**/testing/**/*.ts',
      '**/testing.ts',
      'tests/{fakes,fixtures,services,suites}/**/*.ts',
    ],
    rules: { '@nx/enforce-module-boundaries': boundaries({ tests: true }) },
  },
  {
    // Jest runs these files outside its module mapper, where the alias is unknown.
    files: [
      'tests/fixtures/jest-global-*.ts',
      'tests/fixtures/run-folder.ts',
      'tests/fixtures/test-logins.ts',
      'libs/database/row-security.ts', // part of the migrations, which the set-up runs
    ],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: TESTS,
    rules: {
      // Bodies of responses are untyped, and the expectations check their contents.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': imports(...TESTS_MAY_IMPORT),
      'no-restricted-syntax': 'off',
    },
  },
  ...EXCEPTIONS.map(([folder, ...allowed]) => ({
    // Both patterns must match: the tests of the folder.
    files: TESTS.map((tests) => [`${folder}/**`, tests]),
    rules: { 'no-restricted-imports': imports(...TESTS_MAY_IMPORT, ...allowed) },
  })),
  {
    // Parts of it run in the page.
    files: ['bench/console/silent-refresh.mjs'],
    languageOptions: {
      globals: {
        localStorage: 'readonly',
        document: 'readonly',
        window: 'readonly',
        MutationObserver: 'readonly',
        requestAnimationFrame: 'readonly',
      },
    },
  },
  {
    // Runs in the browser before the page.
    files: ['apps/console/static/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: { localStorage: 'readonly', matchMedia: 'readonly', document: 'readonly', location: 'readonly' },
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
      },
    },
    rules: { 'no-restricted-imports': imports('random', 'timers') },
  },
);
