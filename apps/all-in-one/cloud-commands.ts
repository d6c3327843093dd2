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
    what: 'check rights, quotas and project of every live provider; exit 1 if anything is missing',
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
    what: 'allow servers in the project that the credentials of a live provider belong to',
    async run(context, [provider = '', by = '', ...words]) {
      const reason = words.join(' ');
      if (!isCloudName(provider) || by === '' || reason === '')
        throw new OpsRefused(`usage: ${CONFIRM}: your name and the reason are recorded`);
      const project = await withChecks(context, (checks) => checks.confirm({ provider, by, reason }));
      if (project === null) throw new OpsRefused(`the project of the credentials of ${provider} is not known yet`);
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
    return [`live, the check failed: ${check.error_kind ?? ''} ${check.error_words ?? ''}`.trim()];
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
    ...(has_credentials ? [] : ["no credentials in this process: this is the provisioner's last result"]),
    ...problemsOf(found),
    ...(unknown.length === 0 ? [] : [`not proven: ${unknown.join(', ')}`]),
    ...(project_id !== null && is_confirmed ? [`project ${project_id} is confirmed`] : []),
    ...(check?.quota ?? []).map(
      ({ name, region, used, limit }) => `quota ${name}${region === null ? '' : ` in ${region}`}: ${used} of ${limit}`,
    ),
    ...(check?.quota === null && rights.length > 0 ? ['this provider does not report quotas'] : []),
  ];
}
