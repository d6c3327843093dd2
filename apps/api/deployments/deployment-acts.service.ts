import { auditLog, type AuditAction, type Deployment } from '@moorage/database';
import { HISTORY_MESSAGES, type Message, USERS_MESSAGES } from '@moorage/domain';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../mail/security-mails.service';
import { FieldsInvalid } from '../http/field-problems';
import { oneDeployment, type Viewer } from './deployment-view';

export type DeploymentAct = Extract<AuditAction, `deployment.${string}`>;

/** Actions on a customer's deployment for which staff must give a reason, which is emailed to the owner. */
const AUDITED: Partial<
  Record<DeploymentAct, Message | ((facts: { readonly name?: string; readonly version?: string }) => Message)>
> = {
  'deployment.configured': HISTORY_MESSAGES.deployment_configured,
  'deployment.container_restarted': ({ name = '' }) => HISTORY_MESSAGES.deployment_container_restarted({ name }),
  'deployment.deactivated': HISTORY_MESSAGES.deployment_deactivated,
  'deployment.deleted': HISTORY_MESSAGES.deployment_deleted,
  'deployment.domain_added': HISTORY_MESSAGES.deployment_domain_added,
  'deployment.domain_changed': HISTORY_MESSAGES.deployment_domain_changed,
  'deployment.domain_removed': HISTORY_MESSAGES.deployment_domain_removed,
  'deployment.level_changed': HISTORY_MESSAGES.deployment_level_changed,
  'deployment.reopened': HISTORY_MESSAGES.deployment_reopened,
  'deployment.resized': HISTORY_MESSAGES.deployment_resized,
  'deployment.restarted': HISTORY_MESSAGES.deployment_restarted,
  'deployment.restored': HISTORY_MESSAGES.deployment_restored,
  'deployment.restore_undone': HISTORY_MESSAGES.deployment_restore_undone,
  'deployment.server_removed': HISTORY_MESSAGES.deployment_server_removed,
  'deployment.server_started': HISTORY_MESSAGES.deployment_server_started,
  'deployment.updated': ({ version = '' }) => HISTORY_MESSAGES.deployment_updated({ version }),
  'deployment.rebooted': HISTORY_MESSAGES.deployment_rebooted,
  'deployment.reboot_planned': HISTORY_MESSAGES.deployment_reboot_planned,
  'deployment.reboot_cancelled': HISTORY_MESSAGES.deployment_reboot_cancelled,
  'deployment.update_settings_changed': HISTORY_MESSAGES.deployment_update_settings_changed,
  'deployment.ssh_key_added': ({ name = '' }) => HISTORY_MESSAGES.deployment_ssh_key_added({ name }),
  'deployment.ssh_key_removed': ({ name = '' }) => HISTORY_MESSAGES.deployment_ssh_key_removed({ name }),
};

/** Authorises and records every action of a caller on a deployment. */
@Injectable()
export class DeploymentActs {
  constructor(
    private readonly clock: Clock,
    private readonly securityMails: SecurityMails,
  ) {}

  /**
   * Records the action in the caller's transaction and resolves with the account that owns the deployment. Throws
   * NOT_FOUND if the caller may not act on the deployment, and FIELDS_INVALID at `reason` if staff must give a reason.
   */
  async begin(
    tx: Tx,
    {
      id,
      viewer,
      action,
      facts = {},
      reason,
    }: { id: number; viewer: Viewer; action: DeploymentAct; facts?: object; reason?: string | null | undefined },
  ): Promise<number> {
    const row = await oneDeployment<Pick<Deployment, 'user_id' | 'client_name'>>(
      tx,
      'select d.user_id, d.client_name from deployments d',
      { id, viewer },
    );
    const { user_id: userId } = row;
    const at = await this.clock.now(tx);
    const entry = { actor: viewer.userId, action, subject: `deployment:${id}`, accountId: userId, facts, at };
    const reported = viewer.userId === userId ? undefined : AUDITED[action];
    if (reported === undefined) {
      await auditLog.record(tx, entry);
      return userId;
    }
    if (reason == null) throw new FieldsInvalid([{ path: 'reason', message: USERS_MESSAGES.act_reason_missing }]);
    await auditLog.record(tx, { ...entry, reason });
    await this.securityMails.post(tx, {
      userId,
      template: 'support_acted',
      facts: { act: typeof reported === 'function' ? reported(facts) : reported, deployment: row.client_name, reason },
      at,
    });
    return userId;
  }
}
