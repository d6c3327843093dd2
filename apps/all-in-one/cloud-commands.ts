import { CLOUD_NAMES, isCloudName, iso, providerMode } from '@moorage/domain';
import { type CheckedCloud, withCloudChecks } from '@moorage/provisioner';
import { cloudSetupOf } from '@moorage/runtime';
import { type OpsCommand, type OpsContext, OpsRefused } from './ops-command';

const CONFIRM = 'clouds:confirm <provider> <your name> <reason>';

/** Commands for permissions, quotas and projects of live providers. */
export const cloudCommands: readonly OpsCommand[] = [
  {
    name: 'clouds:check',
    usage: 'clouds:check',
    what: 'check rights, quotas and project of every live provider now; exit 1 when something is missing',
    async run(context) {
      const { settings, print } = context;
      const setup = cloudSetupOf(settings);
      const checked = await withChecks(context, (checks) => checks.run());
      for (const name of CLOUD_NAMES) {
        const found = checked.find(({ provider }) => provider === name);
        const mode = providerMode(setup, name);
        for (const line of found === undefined ? [mode] : linesOf(found)) print(`${name}: ${line}`);
      }
      const missing = checked.filter((one) => problemsOf(one).length > 0).map(({ provider }) => provider);
      if (missing.length > 0) throw new OpsRefused(`something is missing at ${missing.join(', ')}`);
      print('Nothing is missing.');
    },
  },
  {
    name: 'clouds:confirm',
    usage: CONFIRM,
    what: 'let us create servers in the project that the credentials of a live provider lead to',
    async run(context, [provider = '', by = '', ...words]) {
      const reason = words.join(' ');
      if (!isCloudName(provider) || by === '' || reason === '')
        throw new OpsRefused(`usage: ${CONFIRM}: who decides and why is recorded`);
      const project = await withChecks(context, (checks) => checks.confirm({ provider, by, reason }));
      if (project === null) throw new OpsRefused(`the credentials of ${provider} have led to no project yet`);
      context.print(`servers may be created in project ${project} of ${provider}`);
    },
  },
];

async function withChecks<T>(
  { settings, urlOf, log }: OpsContext,
  act: Parameters<typeof withCloudChecks<T>>[1],
): Promise<T> {
  return withCloudChecks({ settings, databaseUrl: await urlOf('provisioner'), log }, act);
}

/** Lists the reasons why servers cannot be created at the provider. */
function problemsOf({ check, project_id, is_confirmed }: CheckedCloud): string[] {
  if (check === undefined || check.checked_at === null) return ['live, not checked yet'];
  if (check.rights === null)
    return [`live, the check got no answer: ${check.error_kind ?? ''} ${check.error_words ?? ''}`.trim()];
  return [
    ...check.rights.filter(({ state }) => state === 'missing').map(({ name }) => `right missing: ${name}`),
    ...(project_id === null ? ['no project known yet'] : []),
    ...(project_id !== null && !is_confirmed ? [`project ${project_id} is not confirmed`] : []),
  ];
}

function linesOf(found: CheckedCloud): string[] {
  const { check, project_id, is_confirmed, has_credentials } = found;
  const rights = check?.rights ?? [];
  const unknown = rights.filter(({ state }) => state === 'unknown').map(({ name }) => name);
  const allowed = rights.filter(({ state }) => state === 'allowed').length;
  return [
    ...(rights.length === 0
      ? []
      : [`live, ${allowed} of ${rights.length} rights proven at ${iso(check?.checked_at ?? 0)}`]),
    ...(has_credentials ? [] : ['no credentials in this process: the result is the last of the provisioner']),
    ...problemsOf(found),
    ...(unknown.length === 0 ? [] : [`not proven: ${unknown.join(', ')}`]),
    ...(project_id !== null && is_confirmed ? [`project ${project_id} is confirmed`] : []),
    ...(check?.quota ?? []).map(
      ({ name, region, used, limit }) => `quota ${name}${region === null ? '' : ` in ${region}`}: ${used} of ${limit}`,
    ),
    ...(check?.quota === null && rights.length > 0 ? ['quotas are not reported by this provider'] : []),
  ];
}
