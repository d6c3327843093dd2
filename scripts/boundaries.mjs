import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';

/**
 * Proves that the boundary rules fail on a violation and on nothing else. Each violation is a text that must be refused
 * in place of a file, by the rule named. Each allowed import is a text that no boundary rule may refuse. Run through
 * `nx run workspace:boundaries`, after the project graph exists (without it the rule silently passes). Cycles of imports
 * are oxlint's part.
 */
const use = (from) => `import * as probe from '${from}';\nexport { probe };\n`;
const RANDOM = `import { randomBytes } from 'node:crypto';\nexport const probe = randomBytes(8);\n`;
const UNBOUND = `class Boat {\n  at = 0;\n  place() {\n    return this.at;\n  }\n}\nexport const probe = new Boat().place;\n`;
const breaches = [
  ['libs/domain/time.ts', use('zod'), 'no-restricted-imports'],
  ['libs/domain/time.ts', use('@moorage/contracts'), 'enforce-module-boundaries'],
  ['libs/domain/time.ts', use('node:fs'), 'no-restricted-imports'],
  ['libs/contracts/wallet.ts', use('pg'), 'enforce-module-boundaries'],
  ['libs/texts/languages.ts', use('@moorage/server'), 'enforce-module-boundaries'],
  ['libs/server/clock.ts', use('@moorage/contracts'), 'enforce-module-boundaries'],
  ['libs/ledger/types.ts', use('../domain/time'), 'enforce-module-boundaries'],
  ['apps/api/settings.ts', use('ssh2'), 'no-restricted-imports'],
  ['apps/billing/process.ts', use('stripe'), 'no-restricted-imports'],
  ['apps/billing/process.ts', use('@moorage/testing'), 'enforce-module-boundaries'],
  ['apps/api/settings.ts', use('@moorage/billing'), 'enforce-module-boundaries'],
  ['apps/console/data/navigation.ts', use('@moorage/database'), 'enforce-module-boundaries'],
  ['apps/console/data/navigation.ts', use('@moorage/runtime'), 'enforce-module-boundaries'],
  ['apps/console/data/navigation.ts', use('typeorm'), 'enforce-module-boundaries'],
  ['apps/console/data/navigation.ts', use('@nestjs/common'), 'enforce-module-boundaries'],
  ['apps/console/data/navigation.ts', use('@moorage/api'), 'enforce-module-boundaries'],
  ['apps/api/settings.ts', use('../console/navigation'), 'enforce-module-boundaries'],
  ['apps/api/http/limits.ts', use('../auth/sessions.service'), 'feature-folders'],
  ['apps/api/wallet/own-money.ts', use('../credits/credit-answer'), 'feature-folders'],
  ['apps/provisioner/runs/step.ts', use('../steps/finish.step'), 'feature-folders'],
  ['apps/billing/watch/watch.service.ts', use('../audit/audit.service'), 'feature-folders'],
  ['apps/console/ui/money.ts', use('../parts/offer'), 'feature-folders'],
  ['libs/messaging/outbox.ts', `export const probe = Date.now();\n`, 'no-restricted-properties'],
  ['libs/ledger/types.ts', `export const probe = new Date();\n`, 'no-restricted-syntax'],
  ['libs/messaging/outbox.ts', UNBOUND, 'unbound-method'],
  ['libs/messaging/outbox.ts', use('kafkajs'), 'no-restricted-imports'],
  ['libs/messaging/outbox.spec.ts', use('kafkajs'), 'no-restricted-imports'],
  ['libs/messaging/transports/postgres-event-transport.ts', use('stripe'), 'no-restricted-imports'],
  ['libs/messaging/transports/postgres-event-transport.ts', use('@nestjs/common'), 'enforce-module-boundaries'],
  ['libs/runtime/transports.ts', use('@nestjs/bull'), 'no-restricted-imports'],
  ['apps/billing/process.ts', use('kafkajs'), 'no-restricted-imports'],
  ['apps/billing/process.ts', use('prom-client'), 'no-restricted-imports'],
  ['apps/api/settings.ts', use('@nestjs/terminus'), 'no-restricted-imports'],
  ['libs/messaging/observer.ts', use('prom-client'), 'no-restricted-imports'],
  ['libs/runtime/metrics.ts', use('kafkajs'), 'no-restricted-imports'],
  ['apps/api/settings.ts', use('@bull-board/api'), 'no-restricted-imports'],
  ['apps/api/payments/stripe-payments.ts', RANDOM, 'no-restricted-imports'],
  ['apps/provisioner/runs/script-errors.ts', RANDOM, 'no-restricted-imports'],
  ['apps/provisioner/runs/script-errors.ts', use('ssh2'), 'no-restricted-imports'],
  ['apps/provisioner/runs/script-errors.ts', use('@aws-sdk/client-ec2'), 'no-restricted-imports'],
  ['apps/provisioner/clouds/cloud.ts', use('stripe'), 'no-restricted-imports'],
  ['apps/provisioner/clouds/cloud.ts', use('ssh2'), 'no-restricted-imports'],
];
const allowed = [
  ['apps/api/credits/credit-answer.ts', use('../wallet/own-money')],
  ['apps/api/wallet/wallet.spec.ts', use('../credits/credit-answer')],
  ['apps/api/payments/stripe-payments.ts', use('stripe')],
  ['apps/provisioner/ssh/connection.ts', use('ssh2')],
  ['apps/provisioner/clouds/sandbox/ssh-server.ts', use('ssh2')],
  ['apps/provisioner/clouds/cloud.ts', use('@aws-sdk/client-ec2')],
  ['libs/runtime/metrics.ts', use('prom-client')],
  ['libs/runtime/operations/operations-port.ts', use('@nestjs/terminus')],
  ['libs/messaging/transports/postgres-transports.spec.ts', use('kafkajs')],
  ...['kafkajs', 'bull', '@nestjs/bull', '@nestjs/core', 'ioredis', '@bull-board/fastify'].map((name) => [
    'libs/messaging/transports/postgres-event-transport.ts',
    use(name),
  ]),
];
const BOUNDARY_RULES = ['no-restricted-imports', '@nx/enforce-module-boundaries', 'moorage/feature-folders'];

// A single run would read the program's files from disk instead of the texts.
process.env.TSESTREE_SINGLE_RUN = 'false';
const eslint = new ESLint();
const messagesOf = async (filePath, text) =>
  existsSync(filePath) ? (await eslint.lintText(text, { filePath }))[0].messages : null;
const failures = [];
for (const [filePath, text, rule] of breaches) {
  const messages = await messagesOf(filePath, text);
  if (!messages?.some(({ ruleId, severity }) => ruleId?.endsWith(rule) && severity === 2))
    failures.push(`not rejected: ${filePath} (${rule}): ${text}`);
}
for (const [filePath, text] of allowed) {
  const messages = await messagesOf(filePath, text);
  // A package that is not in package.json is refused for that reason alone, in any folder. Until it is installed, the
  // package list of the layers is not checked, so for such a package this proves only the rule of the folder.
  const refusals = messages?.filter(
    ({ ruleId, messageId }) => BOUNDARY_RULES.includes(ruleId) && messageId !== 'noTransitiveDependencies',
  );
  if (refusals?.length !== 0)
    failures.push(`not allowed: ${filePath}: ${text}${refusals?.[0]?.message ?? 'no such file'}`);
}
const ONE_WAY = `export type A = 1;\n`;
const CYCLE = `import type { B } from './b';\nexport type A = B;\n`;
if (hasCycle(ONE_WAY) || !hasCycle(CYCLE)) failures.push('oxlint judges import cycles incorrectly');
for (const failure of failures) console.error(failure);
console.log(
  `${breaches.length} violations and ${allowed.length} permitted imports tried, ${failures.length} judged incorrectly`,
);
process.exit(failures.length === 0 ? 0 : 1);

/** Returns whether oxlint rejects a file with this text beside a file `b` that imports it. */
function hasCycle(text) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-cycle-'));
  writeFileSync(join(folder, 'a.ts'), text);
  writeFileSync(join(folder, 'b.ts'), `import type { A } from './a';\nexport type B = A;\n`);
  const { status } = spawnSync('npx', ['oxlint', '--config', '.oxlintrc.json', folder]);
  rmSync(folder, { recursive: true });
  return status !== 0;
}
