import { certificateTrouble, type DeploymentStatus, IN_FLIGHT, type Message } from '@moorage/domain';
import {
  Ban,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  Power,
  Radar,
  RotateCw,
  ShieldX,
  Signpost,
} from 'lucide-react';
import type { Deployment } from '../data/deployments';
import { useSession } from '../data/session';
import { useText } from '../texts/console-i18n';

interface Appearance {
  readonly icon: LucideIcon;
  readonly tone: 'busy' | 'good' | 'need' | 'fail' | 'off';
  readonly turns?: boolean;
}

/** Icon and tone per status. Only tones that require action (need, fail) are filled, so that these stand out. */
const APPEARANCES: Readonly<Record<DeploymentStatus, Appearance>> = {
  CREATING: { icon: CircleDashed, tone: 'busy', turns: true },
  PROVISIONING: { icon: LoaderCircle, tone: 'busy', turns: true },
  DNS_VALIDATION: { icon: Radar, tone: 'busy', turns: true },
  ACTIVE: { icon: CircleCheck, tone: 'good' },
  READY: { icon: CircleCheck, tone: 'good' },
  DNS_FAILED: { icon: Signpost, tone: 'need' },
  RESTARTING: { icon: RotateCw, tone: 'busy', turns: true },
  DESTROYING: { icon: Power, tone: 'off' },
  FAILED: { icon: OctagonX, tone: 'fail' },
  DESTROYED: { icon: Circle, tone: 'off' },
  DELETED: { icon: Circle, tone: 'off' },
};
const DISABLED: Appearance = { icon: Ban, tone: 'off' };
/** DNS_FAILED although the records are correct. */
const WITHOUT_CERTIFICATE: Appearance = { icon: ShieldX, tone: 'need' };
const ALARM: Appearance = { icon: CircleAlert, tone: 'fail' };

/**
 * Status as icon and text. If `deleted_at` is set, it shows as Disabled. A deployment that was handed over keeps
 * running.
 */
export function StatusLabel({
  status,
  deletedAt,
  ended = null,
  progress,
  yourTurn = false,
  incident = null,
  failure = null,
  ownerId,
}: {
  status: DeploymentStatus;
  deletedAt: string | null;
  /** End of the deployment. Its reason may have a label of its own. */
  ended?: { readonly reason: string } | null;
  /** Progress, such as `3 of 7`. */
  progress?: string | undefined;
  /** Waits for an action. Shown only if the status does not imply it. */
  yourTurn?: boolean;
  /** Worst open incident. An alarm takes the place of Ready, a warning stands beside it. */
  incident?: Deployment['worst_incident'];
  /** Reason of DNS_FAILED, which tells missing certificates from wrong records. */
  failure?: Message | null;
  /** Account that has to act. */
  ownerId?: number;
}) {
  const t = useText();
  const isMine = useSession()?.user?.id === ownerId;
  const certificate = status === 'DNS_FAILED' ? certificateTrouble(failure) : null;
  const current = certificate === null ? APPEARANCES[status] : WITHOUT_CERTIFICATE;
  const shown = deletedAt === null ? current : DISABLED;
  const trouble = shown.tone === 'good' ? incident : null;
  const { icon: Icon, tone, turns = false } = trouble?.severity === 'alarm' ? ALARM : shown;
  const words = (): string => {
    if (deletedAt !== null) return t('layout.status.disabled');
    if (trouble?.severity === 'alarm') return t(`incidents.kind.${trouble.kind}`);
    if (certificate !== null) return t(`layout.status.certificate_${certificate}`);
    const isHandedOver = ended?.reason === 'handed_over';
    if (isHandedOver && status === 'DESTROYING') return t('layout.status.handing_over');
    return isHandedOver && status === 'DESTROYED' ? t('layout.status.handed_over') : t(`layout.status.${status}`);
  };
  return (
    <>
      <span className={`st ${tone}`}>
        <Icon size={16} className={turns ? 'spin' : undefined} aria-hidden="true" />
        <span>{words()}</span>
      </span>
      {trouble?.severity === 'warning' ? (
        <span className="tag brass">{t(`incidents.kind.${trouble.kind}`)}</span>
      ) : null}
      {progress === undefined ? null : <span className="small muted"> {progress}</span>}
      {yourTurn && deletedAt === null && IN_FLIGHT.includes(status) ? (
        <span className="tag brass">{t(isMine ? 'layout.status.your_turn' : 'layout.status.owners_turn')}</span>
      ) : null}
    </>
  );
}
