import type { CloudServer, ServerLabels } from '../cloud';

/** Tag of every server that we create, in any installation. */
export const OURS = 'moorage';
const INSTALLATION = 'moorage-i-';
const DEPLOYMENT = 'moorage-dep-';

export const installationTag = (installation: string): string => INSTALLATION + installation;
export const deploymentTag = (ref: string): string => DEPLOYMENT + ref;

/**
 * Returns our labels as flat tags (letters, digits and `-`, three to fifty characters), for providers without key-value
 * labels.
 */
export const tagsOf = ({ installation, deployment }: ServerLabels): string[] => [
  OURS,
  installationTag(installation),
  deploymentTag(deployment),
];

export function labelsOfTags(tags: readonly string[]): Partial<ServerLabels> {
  const installation = afterPrefix(tags, INSTALLATION);
  const deployment = afterPrefix(tags, DEPLOYMENT);
  return {
    ...(tags.includes(OURS) ? { 'managed-by': 'moorage' } : {}),
    ...(installation === null ? {} : { installation }),
    ...(deployment === null ? {} : { deployment }),
  };
}

/** Returns the deployment labels of a tag. Tags shared by all servers have none. */
export const labelsOfDeploymentTag = (tag: string): Partial<ServerLabels> =>
  tag.startsWith(DEPLOYMENT) ? labelsOfTags([OURS, tag]) : {};

/** Returns the rest of the first tag with this prefix, or null if there is none. */
export function afterPrefix(tags: readonly string[], prefix: string): string | null {
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? null;
}

/** Returns the servers with all of these labels, oldest first. The provider can filter only by one tag. */
export function withLabels(servers: readonly CloudServer[], wanted: Partial<ServerLabels>): CloudServer[] {
  const names = Object.keys(wanted) as (keyof ServerLabels)[];
  return servers
    .filter(({ labels }) => names.every((name) => labels[name] === wanted[name]))
    .sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id, 'en', { numeric: true }));
}
