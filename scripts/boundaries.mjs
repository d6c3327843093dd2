import { existsSync } from 'node:fs';
import { ESLint } from 'eslint';

/**
 * Proves that the boundary rules fail on a breach: each probe is a text that must be refused in place of a file, for the
 * rule named. Run through `nx run workspace:boundaries`, after the project graph exists (without it the rule silently
 * passes).
 */
const use = (from) => `import * as probe from '${from}';\nexport { probe };\n`;
const probes = [
  ['libs/domain/time.ts', use('zod'), 'no-restricted-imports'],
  ['libs/domain/time.ts', use('@moorage/contracts'), 'enforce-module-boundaries'],
  ['libs/domain/time.ts', use('node:fs'), 'no-restricted-imports'],
  ['libs/contracts/wallet.ts', use('pg'), 'enforce-module-boundaries'],
  ['libs/server/clock.ts', use('@moorage/contracts'), 'enforce-module-boundaries'],
  ['libs/ledger/types.ts', use('../domain/time'), 'enforce-module-boundaries'],
  ['apps/api/settings.ts', use('ssh2'), 'no-restricted-imports'],
  ['apps/billing/process.ts', use('stripe'), 'no-restricted-imports'],
  ['apps/billing/process.ts', use('@moorage/testing'), 'enforce-module-boundaries'],
  ['apps/api/settings.ts', use('@moorage/billing'), 'enforce-module-boundaries'],
  ['apps/console/navigation.ts', use('@moorage/database'), 'enforce-module-boundaries'],
  ['apps/console/navigation.ts', use('@moorage/runtime'), 'enforce-module-boundaries'],
  ['apps/console/navigation.ts', use('@nestjs/common'), 'enforce-module-boundaries'],
  ['apps/console/navigation.ts', use('@moorage/api'), 'enforce-module-boundaries'],
  ['apps/api/settings.ts', use('../console/navigation'), 'enforce-module-boundaries'],
  // the barrel exports everything of its folder
  ['libs/ledger/types.ts', `export * from './index';\n`, 'no-import-cycles'],
  ['libs/ledger/types.ts', `import type { Ledger } from './index';\nexport type Probe = Ledger;\n`, 'no-import-cycles'],
  ['libs/messaging/outbox.ts', `export const probe = Date.now();\n`, 'no-restricted-properties'],
  ['libs/ledger/types.ts', `export const probe = new Date();\n`, 'no-restricted-syntax'],
];

// a single run would read the files of the program from the disk, not the texts
process.env.TSESTREE_SINGLE_RUN = 'false';
const eslint = new ESLint();
let refused = 0;
for (const [filePath, text, rule] of probes) {
  const [result] = existsSync(filePath) ? await eslint.lintText(text, { filePath }) : [];
  if (result?.messages.some(({ ruleId, severity }) => ruleId?.endsWith(rule) && severity === 2)) refused++;
  else console.error(`not refused: ${filePath} (${rule}): ${text}`);
}
console.log(`${refused} of ${probes.length} breaches refused`);
process.exit(refused === probes.length ? 0 : 1);
