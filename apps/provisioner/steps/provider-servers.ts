import { isCloudName, STEP_MESSAGES } from '@moorage/domain';
import { type DeploymentRow, findInstallation } from '@moorage/database';
import type { Db } from '@moorage/server';
import { type Cloud, type Clouds, type CloudServer, type ServerLabels } from '../clouds/cloud';
import { StepError } from '../runs/step';
import type { ServerRow } from '../server-store/server-store';

/** Returns the cloud of a deployment. */
export function cloudOf(clouds: Clouds, deployment: DeploymentRow): Cloud {
  if (!isCloudName(deployment.cloud_provider)) {
    throw new StepError(STEP_MESSAGES.cloud_unknown, { permanent: true });
  }
  return clouds.of(deployment.cloud_provider);
}

/** Returns the random key of this installation, created at its first start. */
export function installationKey(db: Db): Promise<string> {
  return db.tx('installation.key', async (tx) => {
    const installation = await findInstallation(tx);
    if (installation === null) throw new StepError(STEP_MESSAGES.platform_new, { permanent: false });
    return installation.key;
  });
}

export function labelsOf(installation: string, ref: string): ServerLabels {
  return { 'managed-by': 'moorage', installation, deployment: ref };
}

/**
 * Returns the deployment's servers at the provider. It searches by label in its region and by the stored id, and if
 * these find none, in the list of the whole installation. Absence needs all three, because each of them has been seen
 * to lag behind at some provider. The list, which takes many requests at some providers, is skipped if something is
 * found.
 */
export async function livingServers(
  cloud: Cloud,
  { labels, region, server }: { labels: ServerLabels; region: string; server: ServerRow | null },
  signal: AbortSignal,
): Promise<CloudServer[]> {
  const byLabel = await cloud.find(labels, region, signal);
  const id = server?.provider_server_id ?? null;
  const isFound = id === null || byLabel.some((found) => found.id === id);
  const byId = isFound ? null : await cloud.get({ region, id }, signal);
  const there = byId === null ? byLabel : [...byLabel, byId];
  if (there.length > 0) return there;
  return (await cloud.list(labels.installation, signal)).filter(
    (found) => found.labels.deployment === labels.deployment,
  );
}
