import { deploymentSecrets } from '@moorage/contracts';
import type { DeploymentRow } from '@moorage/database';
import { envValuesOf, isAskedFor, SECOND_MS, STEP_MESSAGES, withDefaults } from '@moorage/domain';
import { Db, Random, Secrets } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ProvisionerOptions } from '../provisioner-options';
import { StepError } from '../runs/step';
import type { ScriptArgs, ServerKind } from '../ssh/host-scripts';
import type { HostFile } from '../ssh/types';
import { imagesOf, registryOf } from './packages';
import { copyPlan } from './copy-plan';
import { renderStack, wantedHosts } from './render';
import { missingSecrets } from './secrets';
import { type Package, Packages, type StackSecrets, type WantedHost } from './types';

export const kindOf = (deployment: DeploymentRow): ServerKind => (deployment.server_type === 'new' ? 'new' : 'own');

/** Sealed values of a stack are named as its environment is; the platform's own keys are in lower case. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;
const MEGABYTES_PER_GIGABYTE = 1024;

/** What the steps ask about a deployment's package. */
@Injectable()
export class StackService {
  constructor(
    private readonly db: Db,
    private readonly random: Random,
    private readonly secrets: Secrets,
    private readonly packages: Packages,
    private readonly options: ProvisionerOptions,
  ) {}

  /** The package's name for people. */
  nameOf(deployment: DeploymentRow): string {
    return this.packageOf(deployment).manifest.display_name;
  }

  /** `80/tcp`: what the package answers on. */
  portsOf(deployment: DeploymentRow): string[] {
    const { manifest } = this.packageOf(deployment);
    const given = withDefaults(manifest, envValuesOf(deployment));
    return manifest.firewall
      .filter((row) => isAskedFor(row, (name) => given.has(name)))
      .map(({ port, proto }) => `${port}/${proto}`);
  }

  /** `now`: what the clock of the server should show. */
  preflight(deployment: DeploymentRow, now: number): ScriptArgs['preflight'] {
    const pack = this.packageOf(deployment);
    const { requires, docker, containers, hosts, wireguard, host } = pack.manifest;
    const images = imagesOf(pack, withDefaults(pack.manifest, envValuesOf(deployment)));
    return {
      purpose: 'deploy',
      server: kindOf(deployment),
      cpu: requires.cpu,
      memory_mb: Math.round(requires.memory_gb * MEGABYTES_PER_GIGABYTE),
      disk_gb: requires.disk_gb,
      docker: this.options.dockerMinimum ?? docker,
      ports: this.portsOf(deployment),
      names: [...containers, ...(host.starts?.containers ?? [])],
      folders: host.folders.map(({ path }) => path),
      login: host.login === undefined ? 'no' : 'yes',
      images,
      hosts: [...new Set([...images.map(registryOf), ...hosts])],
      wireguard: wireguard ? 'yes' : 'no',
      now: Math.round(now / SECOND_MS),
    };
  }

  /** Every file of the stack, secrets included: to be uploaded and forgotten. */
  async files(deployment: DeploymentRow, { ipv6 }: { ipv6: boolean }): Promise<HostFile[]> {
    const pack = this.packageOf(deployment);
    const opened = await this.openSecrets(deployment, pack);
    const { acmeDirectoryUrl, traefikPlugins } = this.options;
    return renderStack(pack, envValuesOf(deployment), opened, {
      ref: deployment.ref,
      acmeDirectoryUrl,
      traefikPlugins,
      ipv6,
    });
  }

  /** Returns the copy plan for infra/host/copy.sh and the version of the package it is for. */
  async copyPlan(deployment: DeploymentRow): Promise<{ plan: string; catalogueVersion: number }> {
    const { manifest } = this.packageOf(deployment);
    const rendered = await this.files(deployment, { ipv6: false });
    return {
      plan: copyPlan({ needs: manifest.backup, rendered, ref: deployment.ref }),
      catalogueVersion: manifest.catalogue_version,
    };
  }

  /** The names that must or may lead to the server. */
  hosts(deployment: DeploymentRow): WantedHost[] {
    return wantedHosts(this.packageOf(deployment).manifest, envValuesOf(deployment));
  }

  private packageOf(deployment: DeploymentRow): Package {
    const found = this.packages.find(deployment.package);
    if (found === null) throw new StepError(STEP_MESSAGES.package_gone, { permanent: true });
    return found;
  }

  /** Opened, with what the platform makes itself made once and sealed before anything is uploaded. */
  private openSecrets(deployment: DeploymentRow, pack: Package): Promise<StackSecrets> {
    const owner = deploymentSecrets(deployment.id);
    return this.db.tx('stack.secrets', async (tx) => {
      await tx.query('select 1 from deployments where id = $1 for update', [deployment.id]);
      const known = new Set(await this.secrets.names(tx, owner));
      const made = missingSecrets(pack.manifest, envValuesOf(deployment), known, this.random);
      for (const [name, value] of Object.entries(made)) await this.secrets.put(tx, owner, name, value);
      const names = [...known, ...Object.keys(made)].filter((name) => ENV_NAME.test(name));
      const opened: [string, string][] = [];
      for (const name of names) opened.push([name, (await this.secrets.get(tx, owner, name)) ?? '']);
      return Object.fromEntries(opened);
    });
  }
}
