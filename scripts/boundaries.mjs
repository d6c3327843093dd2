import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

/**
 * Proves that the boundary rules fail on a breach: each probe is a file that must be refused, for the rule named.
 * Run through `nx run workspace:boundaries`, after the project graph exists (without it the rule silently passes).
 */
const probes = [
  ['libs/domain/probe-zod.ts', `import { z } from 'zod';\nexport const probe = z;\n`, 'no-restricted-imports'],
  [
    'libs/domain/probe-contracts.ts',
    `import { ERROR_STATUS } from '@moorage/contracts';\nexport const probe = ERROR_STATUS;\n`,
    'enforce-module-boundaries',
  ],
  ['libs/domain/probe-fs.ts', `import fs from 'node:fs';\nexport const probe = fs;\n`, 'no-restricted-imports'],
  ['libs/contracts/probe-pg.ts', `import pg from 'pg';\nexport const probe = pg;\n`, 'enforce-module-boundaries'],
  [
    'libs/server/probe-contracts.ts',
    `import { ERROR_STATUS } from '@moorage/contracts';\nexport const probe = ERROR_STATUS;\n`,
    'enforce-module-boundaries',
  ],
  [
    'libs/ledger/probe-relative.ts',
    `import { iso } from '../domain/time';\nexport const probe = iso;\n`,
    'enforce-module-boundaries',
  ],
  ['apps/api/probe-ssh.ts', `import ssh2 from 'ssh2';\nexport const probe = ssh2;\n`, 'no-restricted-imports'],
  [
    'apps/billing/probe-stripe.ts',
    `import Stripe from 'stripe';\nexport const probe = Stripe;\n`,
    'no-restricted-imports',
  ],
  [
    'apps/billing/probe-testing.ts',
    `import { testDatabase } from '@moorage/testing';\nexport const probe = testDatabase;\n`,
    'enforce-module-boundaries',
  ],
  [
    'apps/api/probe-billing.ts',
    `import * as billing from '@moorage/billing';\nexport const probe = billing;\n`,
    'enforce-module-boundaries',
  ],
  [
    'apps/console/probe-database.ts',
    `import * as database from '@moorage/database';\nexport const probe = database;\n`,
    'enforce-module-boundaries',
  ],
  [
    'apps/console/probe-runtime.ts',
    `import * as runtime from '@moorage/runtime';\nexport const probe = runtime;\n`,
    'enforce-module-boundaries',
  ],
  [
    'apps/console/probe-nest.ts',
    `import { Module } from '@nestjs/common';\nexport const probe = Module;\n`,
    'enforce-module-boundaries',
  ],
  [
    'apps/console/probe-api.ts',
    `import * as api from '@moorage/api';\nexport const probe = api;\n`,
    'enforce-module-boundaries',
  ],
  [
    'apps/api/probe-console.ts',
    `import { go } from '../console/navigation';\nexport const probe = go;\n`,
    'enforce-module-boundaries',
  ],
  ['libs/ledger/probe-cycle.ts', `export * from './probe-cycle-back';\n`, 'no-import-cycles'],
  [
    'libs/ledger/probe-cycle-back.ts',
    `import type { Probe } from './probe-cycle';\nexport type Back = Probe;\n`,
    'no-import-cycles',
  ],
  ['libs/messaging/probe-clock.ts', `export const probe = Date.now();\n`, 'no-restricted-properties'],
  ['libs/ledger/probe-date.ts', `export const probe = new Date();\n`, 'no-restricted-syntax'],
];

for (const [file, text] of probes) writeFileSync(file, text);
let report;
try {
  const run = spawnSync(
    process.execPath,
    ['node_modules/eslint/bin/eslint.js', '--format', 'json', ...probes.map(([file]) => file)],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  report = JSON.parse(run.stdout);
} finally {
  for (const [file] of probes) rmSync(file, { force: true });
}

const missed = probes.filter(([file, , rule]) => {
  const found = report.find((entry) => entry.filePath.endsWith(file));
  return !found?.messages.some((message) => message.ruleId?.endsWith(rule) && message.severity === 2);
});
for (const [file, , rule] of missed) console.error(`not refused: ${file} (${rule})`);
console.log(`${probes.length - missed.length} of ${probes.length} breaches refused`);
process.exit(missed.length === 0 ? 0 : 1);
