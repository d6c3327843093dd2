import { deploymentSecrets } from '@moorage/contracts';
import type { DeploymentRow } from '@moorage/database';
import { envValuesOf, SECOND_MS, STEP_WORDS } from '@moorage/domain';
import type { Db, Random, Secrets } from '@moorage/server';
import { StepError } from '../runs/step';
import type { ScriptArgs, ServerKind } from '../ssh/host-scripts';
import type { HostFile } from '../ssh/types';
import { imagesOf } from '../stacks/packages';
import { renderStack, wantedHosts } from '../stacks/render';
import { missingSecrets } from '../stacks/secrets';
import type { Package, Packages, StackSecrets, WantedHost } from '../stacks/types';

/** What the steps ask about a deployment's package. */
export interface Stack {
  /** The package's name for people. */
  nameOf(deployment: DeploymentRow): string;
  /** `80/tcp`: what the package answers on. */
  portsOf(deployment: DeploymentRow): string[];
  /** `now`: what the clock of the server should show. */
  preflight(deployment: DeploymentRow, now: number): ScriptArgs['preflight'];
  /** Every file of the stack, secrets included: to be uploaded and forgotten. */
  files(deployment: DeploymentRow, facts: { ipv6: boolean }): Promise<HostFile[]>;
  hosts(deployment: DeploymentRow): WantedHost[];
}

export const kindOf = (deployment: DeploymentRow): ServerKind => (deployment.server_type === 'new' ? 'new' : 'own');

/** Sealed values of a stack are named as its environment is; the platform's own keys are in lower case. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;
const MEGABYTES_PER_GIGABYTE = 1024;

export function createStack({
  db,
  random,
  secrets,
  packages,
  acmeDirectoryUrl,
  traefikPlugins,
}: {
  db: Db;
  random: Random;
  secrets: Secrets;
  packages: Packages;
  acmeDirectoryUrl: string;
  traefikPlugins: 'on' | 'off';
}): Stack {
  function packageOf(deployment: DeploymentRow): Package {
    const found = packages.find(deployment.package);
    if (found === null) throw new StepError(STEP_WORDS.package_gone, { lasting: true });
    return found;
  }

  /** Opened, with what the platform makes itself made once and sealed before anything is uploaded. */
  function openSecrets(deployment: DeploymentRow, pack: Package): Promise<StackSecrets> {
    const owner = deploymentSecrets(deployment.id);
    return db.tx('stack.secrets', async (tx) => {
      await tx.query('select 1 from deployments where id = $1 for update', [deployment.id]);
      const known = new Set(await secrets.names(tx, owner));
      const made = missingSecrets(pack.manifest, envValuesOf(deployment), known, random);
      for (const [name, value] of Object.entries(made)) await secrets.put(tx, owner, name, value);
      const names = [...known, ...Object.keys(made)].filter((name) => ENV_NAME.test(name));
      const opened: [string, string][] = [];
      for (const name of names) opened.push([name, (await secrets.get(tx, owner, name)) ?? '']);
      return Object.fromEntries(opened);
    });
  }

  const portsOf = (deployment: DeploymentRow): string[] =>
    packageOf(deployment).manifest.firewall.map(({ port, proto }) => `${port}/${proto}`);

  return {
    nameOf: (deployment) => packageOf(deployment).manifest.display_name,
    portsOf,
    preflight(deployment, now) {
      const pack = packageOf(deployment);
      const { requires, docker, containers, hosts, wireguard } = pack.manifest;
      return {
        purpose: 'deploy',
        server: kindOf(deployment),
        cpu: requires.cpu,
        memory_mb: Math.round(requires.memory_gb * MEGABYTES_PER_GIGABYTE),
        disk_gb: requires.disk_gb,
        docker,
        ports: portsOf(deployment),
        names: containers,
        images: imagesOf(pack),
        hosts,
        wireguard: wireguard ? 'yes' : 'no',
        now: Math.round(now / SECOND_MS),
      };
    },
    async files(deployment, { ipv6 }) {
      const pack = packageOf(deployment);
      const opened = await openSecrets(deployment, pack);
      return renderStack(pack, envValuesOf(deployment), opened, {
        ref: deployment.ref,
        acmeDirectoryUrl,
        traefikPlugins,
        ipv6,
      });
    },
    hosts: (deployment) => wantedHosts(packageOf(deployment).manifest, envValuesOf(deployment)),
  };
}
