import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { noImportCycles } from './scripts/no-import-cycles.mjs';

/** Which layer may import which, and which outside packages it may see. The rule runs only through Nx: `nx run workspace:lint`. */
const layers = {
  domain: { may: ['domain'], packages: [] },
  contracts: { may: ['domain', 'contracts'], packages: ['zod'] },
  server: { may: ['server'], except: ['kafkajs', 'bull', 'ioredis', 'stripe', 'ssh2', '@aws-sdk/*'] },
  messaging: { may: ['server', 'messaging'], except: ['stripe', 'ssh2', '@aws-sdk/*', '@nestjs/*'] },
  database: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database'],
    except: ['kafkajs', 'bull', 'ioredis', 'stripe', 'ssh2', '@aws-sdk/*'],
  },
  runtime: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database', 'runtime'],
    except: ['kafkajs', 'bull', 'ioredis', 'stripe', 'ssh2', '@aws-sdk/*'],
  },
  ledger: { may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger'], packages: [] },
  testing: { may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger', 'testing'] },
  service: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger', 'runtime'],
    except: ['kafkajs', 'bull', 'ioredis'],
  },
  shell: {
    may: ['domain', 'contracts', 'server', 'messaging', 'database', 'ledger', 'runtime', 'service', 'shell'],
    except: ['kafkajs', 'bull', 'ioredis', 'stripe', 'ssh2'],
  },
  console: {
    may: ['domain', 'contracts', 'console'],
    except: [
      '@nestjs/*',
      'typeorm',
      'pg',
      'ssh2',
      'stripe',
      'fastify',
      '@fastify/*',
      'kafkajs',
      'bull',
      'ioredis',
      '@aws-sdk/*',
    ],
  },
  root: { may: ['domain', 'contracts'] },
  journeys: {
    may: [
      'domain',
      'contracts',
      'server',
      'messaging',
      'database',
      'ledger',
      'runtime',
      'testing',
      'service',
      'journeys',
    ],
  },
};

const boundaries = ({ tests }) => [
  'error',
  {
    allow: [],
    banTransitiveDependencies: true,
    // a library's tests use the test bench, which is built on the library
    ignoredCircularDependencies: Object.keys(layers).map((layer) => [layer, 'testing']),
    depConstraints: Object.entries(layers).map(([layer, { may, packages, except }]) => ({
      sourceTag: `layer:${layer}`,
      onlyDependOnLibsWithTags: [...may, ...(tests ? ['testing'] : [])].map((name) => `layer:${name}`),
      ...(packages === undefined || tests ? {} : { allowedExternalImports: packages }),
      ...(except === undefined || tests ? {} : { bannedExternalImports: except }),
    })),
  },
];

const TIME_AND_CHANCE = [
  ['Date', 'now', 'take a Clock'],
  ['Math', 'random', 'take a Random'],
  ['crypto', 'randomUUID', 'take a Random'],
].map(([object, property, message]) => ({ object, property, message }));

const TIMERS = ['setTimeout', 'setInterval'].map((name) => ({ name, message: 'take a Clock' }));

/** A package that only one folder may see: everybody else is refused by name. */
const only = (packages, message) => ({ group: packages, message });

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.nx', '.moorage', '.cache', 'coverage'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { '@nx': nx, moorage: { rules: { 'no-import-cycles': noImportCycles } } },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': boundaries({ tests: false }),
      'moorage/no-import-cycles': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
      '@typescript-eslint/require-await': 'off',
      // finding control characters is what these expressions are for
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
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:crypto', importNames: ['randomUUID', 'randomBytes', 'randomInt'], message: 'take a Random' },
            { name: 'node:timers/promises', message: 'take a Clock' },
          ],
          patterns: [
            only(['stripe'], 'only apps/api/payments sees Stripe'),
            only(['ssh2'], 'only apps/provisioner sees ssh2'),
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'take a Clock' },
        { selector: "CallExpression[callee.name='Date']", message: 'take a Clock' },
      ],
    },
  },
  {
    // a browser: its clock and its timers are the person's; tests turn them with Jest's
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
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^[^.]', message: 'the rules import nothing from outside' }] },
      ],
    },
  },
  {
    // the two doors, and the starter that runs before there is a clock to hand over
    files: [
      'libs/server/clock.ts',
      'libs/server/random.ts',
      'libs/server/embedded-postgres.ts',
      'libs/server/postgres-place.ts',
      'libs/server/process.ts',
    ],
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': 'off',
      'no-restricted-imports': 'off',
    },
  },
  {
    files: ['apps/api/payments/**/*.ts', 'apps/provisioner/**/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*.spec.tsx', '**/*.suite.ts', '**/testing/**/*.ts', '**/testing.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries({ tests: true }) },
  },
  {
    // Jest runs these outside its module mapper, so the alias is not known there
    files: ['libs/testing/jest-global-*.ts', 'libs/testing/run-folder.ts', 'libs/testing/test-logins.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // tests look from outside: they may wait and take the time
    files: [
      '**/*.spec.ts',
      '**/*.spec.tsx',
      '**/*.suite.ts',
      '**/*.e2e.ts',
      'tests/**/*.ts',
      'bench/**/*.ts',
      'libs/testing/**/*.ts',
      '**/testing/**/*.ts',
      '**/testing.ts',
    ],
    rules: {
      // an answer's body is whatever came over the wire; the expectation that follows says what it must be
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    // parts of it run in the page
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
    // before the page, in the browser
    files: ['apps/console/static/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: { localStorage: 'readonly', matchMedia: 'readonly', document: 'readonly' },
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
  },
);
