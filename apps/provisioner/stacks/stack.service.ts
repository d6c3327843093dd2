import { deploymentSecrets } from '@moorage/contracts';
import { appliedDomains, type DeploymentRow } from '@moorage/database';
import { envValuesOf, isRequested, SECOND_MS, STEP_MESSAGES, withDefaults } from '@moorage/domain';
import { Db, Random, Secrets } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ProvisionerOptions } from '../provisioner-options';
import { StepError } from '../runs/step';
import type { ScriptArgs, ServerKind } from '../ssh/host-scripts';
import type { HostFile } from '../ssh/types';
import { imagesOf, registryOf } from './packages';
import { copyPlan } from './copy-plan';
import { scriptName } from './compose-parts';
import { renderRedirects, renderStack, wantedHosts } from './render';
import { missingSecrets } from './secrets';
import { type Package, StackPackages, type StackSecrets, type WantedHost } from './types';

export const kindOf = (deployment: DeploymentRow): ServerKind => (deployment.server_type === 'new' ? 'new' : 'own');

/** Sealed values of a stack have the names of its environment. The platform's own keys are in lower case. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;
const MEGABYTES_PER_GIGABYTE = 1024;

/** Provides the facts about a deployment's package to the steps. */
@Injectable()
export class StackService {
  constructor(
    private readonly db: Db,
    private readonly random: Random,
    private readonly secrets: Secrets,
    private readonly packages: StackPackages,
    private readonly options: ProvisionerOptions,
  ) {}

  /** Returns the images of the deployment's release that its values require. */
  imagesOf(deployment: DeploymentRow): string[] {
    const pack = this.packageOf(deployment);
    return [...new Set(imagesOf(pack, withDefaults(pack.manifest, envValuesOf(deployment))))];
  }

  /** Returns the package's display name. */
  nameOf(deployment: DeploymentRow): string {
    return this.packageOf(deployment).manifest.display_name;
  }

  /** Returns the ports on which the package responds, such as `80/tcp`. */
  portsOf(deployment: DeploymentRow): string[] {
    const { manifest } = this.packageOf(deployment);
    const given = withDefaults(manifest, envValuesOf(deployment));
    return manifest.firewall
      .filter((row) => isRequested(row, (name) => given.has(name)))
      .map(({ port, proto }) => `${port}/${proto}`);
  }

  /** Returns the preflight's arguments. `now` is the time that the server's clock should show. */
  preflight(deployment: DeploymentRow, now: number): ScriptArgs['preflight'] {
    const pack = this.packageOf(deployment);
    const { requires, docker, containers, hosts, wireguard, host } = pack.manifest;
    const images = this.imagesOf(deployment);
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

  /** Returns every file of the stack including secrets, which must not be stored elsewhere after the upload. */
  async files(
    deployment: DeploymentRow,
    { ipv6, empties = false }: { ipv6: boolean; empties?: boolean },
  ): Promise<HostFile[]> {
    const pack = this.packageOf(deployment);
    const opened = await this.openSecrets(deployment, pack);
    const { acmeDirectoryUrl, traefikPlugins } = this.options;
    return renderStack(pack, envValuesOf(deployment), opened, {
      ref: deployment.ref,
      acmeDirectoryUrl,
      traefikPlugins,
      ipv6,
      empties,
      redirects: await this.redirects(deployment),
    });
  }

  /** Returns the further domains for which the router has redirects. */
  async redirects(deployment: DeploymentRow): Promise<string[]> {
    if (!this.hasRedirects(deployment)) return [];
    const hosts = await this.db.tx('stack.redirects', (tx) => appliedDomains(tx, deployment.id));
    const own = new Set(this.hosts(deployment).map(({ host }) => host));
    return hosts.filter((host) => !own.has(host));
  }

  /** Returns whether the router of the package accepts redirects. */
  hasRedirects(deployment: DeploymentRow): boolean {
    return this.packageOf(deployment).manifest.redirects !== undefined;
  }

  /** Returns the files that redirect these hosts, and the name of the script that publishes them, if there is one. */
  redirectFiles(
    deployment: DeploymentRow,
    hosts: readonly string[],
  ): { readonly files: HostFile[]; readonly publish: string | null } {
    const pack = this.packageOf(deployment);
    const files = renderRedirects(pack, envValuesOf(deployment), { ref: deployment.ref, redirects: hosts });
    const publish = pack.manifest.redirects?.publish;
    return { files, publish: publish === undefined ? null : scriptName(publish) };
  }

  /** Returns the copy plan for infra/host/copy.sh and the version of the package it is for. */
  async copyPlan(deployment: DeploymentRow): Promise<{ plan: string; catalogueVersion: number }> {
    const { manifest } = this.packageOf(deployment);
    const rendered = await this.files(deployment, { ipv6: false, empties: true });
    return {
      plan: copyPlan({ needs: manifest.backup, rendered, ref: deployment.ref }),
      catalogueVersion: manifest.catalogue_version,
    };
  }

  /** Returns the names that must or may point to the server. */
  hosts(deployment: DeploymentRow): WantedHost[] {
    return wantedHosts(this.packageOf(deployment).manifest, envValuesOf(deployment));
  }

  private packageOf(deployment: DeploymentRow): Package {
    const found = this.packages.find(deployment.package, deployment.release);
    if (found === null) throw new StepError(STEP_MESSAGES.package_gone, { permanent: true });
    return found;
  }

  /** Opens the secrets. Those generated by the platform are created once and sealed before anything is uploaded. */
  private openSecrets(deployment: DeploymentRow, pack: Package): Promise<StackSecrets> {
    const owner = deploymentSecrets(deployment.id);
    return this.db.tx('stack.secrets', async (tx) => {
      await tx.query('select 1 from deployments where id = $1 for update', [deployment.id]);
      const known = new Set(await this.secrets.names(tx, owner));
      const created = missingSecrets(pack.manifest, envValuesOf(deployment), known, this.random);
      for (const [name, value] of Object.entries(created)) await this.secrets.put(tx, owner, name, value);
      const names = [...known, ...Object.keys(created)].filter((name) => ENV_NAME.test(name));
      const opened: [string, string][] = [];
      for (const name of names) opened.push([name, (await this.secrets.get(tx, owner, name)) ?? '']);
      return Object.fromEntries(opened);
    });
  }
}
