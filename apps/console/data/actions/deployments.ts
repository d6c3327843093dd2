import type {
  BackupsAnswer,
  DeletedDeployment,
  DeploymentAnswer,
  DeploymentDomainsAnswer,
  RouteAnswer,
  SshKeysAnswer,
} from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';
import { backupsKey } from '../backups';
import { domainsKey, forgetDeployment, patchDeployment, unpaidEndingsKey } from '../deployments';
import { sshKeysKey } from '../ssh-keys';
import { updatesKey } from '../updates';

/** Request about one deployment. */
interface OfOne {
  readonly params: { readonly id: string | number };
}

/** Shows the deployment of the answer at once. */
const apply = (client: QueryClient, answer: DeploymentAnswer, { params }: OfOne): void =>
  patchDeployment(client, Number(params.id), answer);

/** Resources that a changed price also affects. */
const changes = ['admin-deployments', 'billing'] as const;

/**
 * Shows the result of a removal. The answer has no version, so requests that were sent earlier are cancelled first. A
 * deployment that is off the list is not loaded again (`reload`).
 */
const removed =
  (fields: Partial<DeploymentAnswer>) =>
  async (client: QueryClient, answer: DeletedDeployment, { params }: OfOne): Promise<void> => {
    const id = Number(params.id);
    await client.cancelQueries({ queryKey: ['deployments'] });
    if ('message' in answer) return forgetDeployment(client, id);
    const { status, deleted_at, undo_until = null } = answer;
    patchDeployment(client, id, { status, deleted_at, undo_until, ...fields });
    void client.invalidateQueries({ queryKey: ['deployments', id] });
  };

const once = ({ params }: OfOne) => ({ target: `removal ${params.id}` });

const patchBackups = (client: QueryClient, { params }: OfOne, patch: (shown: BackupsAnswer) => BackupsAnswer): void =>
  void client.setQueryData<BackupsAnswer>(backupsKey(Number(params.id)), (shown) =>
    shown === undefined ? shown : patch(shown),
  );

const applyKeys = (client: QueryClient, keys: SshKeysAnswer, { params }: OfOne): void =>
  void client.setQueryData<SshKeysAnswer>(sshKeysKey(Number(params.id)), keys);

/** Actions on a deployment and its backups. */
export const DEPLOYMENTS = {
  restart: action('POST /deployments/{id}/restart', { apply, reloadAfterMs: CONSTANTS.restartRefreshMs }),
  retryDns: action('POST /deployments/{id}/retry-dns-validation', {
    apply,
    reloadAfterMs: CONSTANTS.dnsRetryRefreshMs,
  }),
  /** Starts a server that is switched off at its provider. */
  startServer: action('POST /deployments/{id}/start-server', {
    changes: ['admin-deployments', 'admin-incidents'],
    apply,
  }),
  cancel: action('POST /deployments/{id}/cancel', {
    once,
    changes,
    isRemembered: true,
    apply: removed({ cancelling: true }),
  }),
  /** Deactivates or deletes. An answer with a message means that the deployment is off the list. */
  remove: action('DELETE /deployments/{id}', {
    once,
    changes,
    isRemembered: true,
    apply: removed({ progress: null }),
  }),
  /** Leaves the deployment running on its owner's server. */
  handOver: action('POST /deployments/{id}/hand-over', {
    once,
    changes,
    isRemembered: true,
    apply: removed({ progress: null }),
  }),
  /** Undoes the delete of a deployment whose server is still kept. */
  restoreDeleted: action('POST /deployments/{id}/restore', { once, changes, apply }),
  /** Orders the deployment again in another place, at the price shown. */
  retryElsewhere: action('POST /deployments/{id}/retry', {
    once: ({ params }) => ({ target: `retry ${params.id}` }),
    changes,
  }),
  changeLevel: action('PATCH /deployments/{id}', {
    once: ({ params }) => ({ target: `level ${params.id}` }),
    changes,
    apply,
  }),
  resize: action('POST /deployments/{id}/resize', {
    once: ({ params }) => ({ target: `resize ${params.id}` }),
    changes,
    apply,
  }),
  update: action('POST /deployments/{id}/update', { changes: ['admin-deployments', 'releases'], apply }),
  /** Reboots the server now or in the window, or cancels a planned reboot. */
  reboot: action('POST /deployments/{id}/reboot', { changes: ['admin-deployments'], apply }),
  /** Chooses what is installed automatically and when. */
  changeUpdates: action('PUT /deployments/{id}/update-settings', {
    apply: (client, updates, { params }) => client.setQueryData(updatesKey(Number(params.id)), updates),
  }),
  rename: action('PUT /deployments/{id}/name', { changes: ['admin-deployments'], apply }),
  setDeletionLock: action('PUT /deployments/{id}/deletion-lock', { apply }),
  configure: action('PATCH /deployments/{id}/configuration', { changes: ['admin-deployments'], apply }),
  restartContainer: action('POST /deployments/{id}/containers/{container}/restart'),
  addSshKey: action('POST /deployments/{id}/ssh-keys', { apply: applyKeys }),
  removeSshKey: action('DELETE /deployments/{id}/ssh-keys/{key_id}', { apply: applyKeys }),
  changeDomain: action('PUT /deployments/{id}/domain', { changes: ['admin-deployments'], apply }),
  /** Sends the owner's DNS token, which is not kept. */
  createRecords: action('POST /deployments/{id}/dns/records'),
  addDomain: action('POST /deployments/{id}/domains', {
    apply: (client, added, { params }) =>
      client.setQueryData<DeploymentDomainsAnswer>(domainsKey(Number(params.id)), (shown) =>
        shown === undefined ? shown : { ...shown, domains: [...shown.domains, added] },
      ),
  }),
  removeDomain: action('DELETE /deployments/{id}/domains/{domain_id}', {
    apply: (client, answer, { params }) => client.setQueryData(domainsKey(Number(params.id)), answer),
  }),
  /** Every call is audited. */
  revealSecrets: action('POST /deployments/{id}/reveal-secrets', { changesNothing: true }),
  dismissEnding: action('POST /deployments/{id}/dismiss-ending', {
    apply: (client, _answer, { params }) =>
      client.setQueryData<RouteAnswer<'GET /deployments/unpaid-endings'>>(unpaidEndingsKey, (shown) =>
        shown?.filter(({ deployment_id: id }) => id !== Number(params.id)),
      ),
  }),
  backUp: action('POST /deployments/{id}/backups', {
    apply: (client, copy, request) =>
      patchBackups(client, request, (shown) =>
        shown.copies.some(({ id }) => id === copy.id) ? shown : { ...shown, copies: [copy, ...shown.copies] },
      ),
  }),
  /** Replaces the deployment's data with that of a copy. */
  restore: action('POST /deployments/{id}/backups/{backup_id}/restore', { apply }),
  /** Restores the data from before the last restore. */
  undoRestore: action('POST /deployments/{id}/undo-restore', { apply }),
  /** Orders a new deployment with the data of a copy. */
  deployCopy: action('POST /deployments/{id}/backups/{backup_id}/deployments', {
    once: ({ params }) => ({ target: `deploy copy ${params.backup_id}` }),
    changes,
  }),
  /** Orders the new deployment of a move or clone. */
  move: action('POST /deployments/{id}/move', {
    once: ({ params }) => ({ target: `move ${params.id}` }),
    changes,
  }),
  clone: action('POST /deployments/{id}/clone', {
    once: ({ params }) => ({ target: `move ${params.id}` }),
    changes,
  }),
  /** Removes the old server of a move. */
  finishMove: action('POST /deployments/{id}/move/finish', {
    once: ({ params }) => ({ target: `end of move ${params.id}` }),
    changes,
  }),
  /** Removes the new deployment of a move or clone. */
  cancelMove: action('POST /deployments/{id}/move/cancel', {
    once: ({ params }) => ({ target: `end of move ${params.id}` }),
    changes,
  }),
  /** Sets the customer's bucket. Its password is in the answer only, and not once the bucket holds a copy. */
  setBucket: action('PUT /deployments/{id}/backups/bucket', {
    apply: (client, { bucket }, request) => patchBackups(client, request, (shown) => ({ ...shown, bucket })),
  }),
  checkBucket: action('POST /deployments/{id}/backups/bucket/check', {
    apply: (client, bucket, request) => patchBackups(client, request, (shown) => ({ ...shown, bucket })),
  }),
  removeBucket: action('DELETE /deployments/{id}/backups/bucket', {
    apply: (client, _answer, request) => patchBackups(client, request, (shown) => ({ ...shown, bucket: null })),
  }),
  /** Prepares an archive. Its password is in the answer only. */
  prepareDownload: action('POST /deployments/{id}/backups/{backup_id}/download'),
  /** Requests a download URL that is valid for a few minutes. */
  linkDownload: action('POST /deployments/{id}/backup-downloads/{download_id}/link', { changesNothing: true }),
} as const;
