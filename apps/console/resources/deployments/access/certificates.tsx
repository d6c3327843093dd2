import type { DeploymentDnsAnswer, HostCertificateAnswer } from '@moorage/contracts';
import { type CertificateState, repairOf, retryHelps } from '@moorage/domain';
import {
  CircleAlert,
  CircleHelp,
  Clock,
  LoaderCircle,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  ShieldX,
  WifiOff,
} from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useSession } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { dayWithYear, shortInstant } from '../../../ui/dates';
import { MessageText } from '../../../ui/message-text';
import { useRepairLimit } from '../actions';
import { useRepairs } from '../repairs';
import { LockedButton } from '../../../parts/locked-button';
import { lockedKey } from '../../../parts/deployment/deployment-messages';
import './certificates.css';

interface Sign {
  readonly icon: LucideIcon;
  readonly tone: 'good' | 'busy' | 'need' | 'off' | 'fail';
  readonly turns?: true;
  /** A restart requests the certificate again or repeats the check. */
  readonly restartHelps?: true;
}

const SIGNS: Readonly<Record<CertificateState, Sign>> = {
  good: { icon: ShieldCheck, tone: 'good' },
  expires_soon: { icon: ShieldAlert, tone: 'need', restartHelps: true },
  waiting_for_dns: { icon: Clock, tone: 'off' },
  issuing: { icon: LoaderCircle, tone: 'busy', turns: true },
  pending: { icon: Clock, tone: 'off', restartHelps: true },
  refused: { icon: ShieldX, tone: 'fail' },
  wrong: { icon: ShieldAlert, tone: 'need', restartHelps: true },
  expired: { icon: CircleAlert, tone: 'fail', restartHelps: true },
  unreachable: { icon: WifiOff, tone: 'need' },
  unknown: { icon: CircleHelp, tone: 'off', restartHelps: true },
};

/** Certificate of one host name: its state, the problem, and the authority's message. */
export function CertificateLine({
  certificate,
  status,
}: {
  certificate: HostCertificateAnswer;
  status: Deployment['status'];
}) {
  const t = useText();
  const { state, reason, authority_words: words, expires_at, checked_at } = certificate;
  const { icon: Icon, tone, turns, restartHelps } = SIGNS[state];
  const date = state === 'unknown' ? checked_at : expires_at;
  return (
    <div className="cert">
      <span className={`st ${tone}`}>
        <Icon size={16} className={turns ? 'spin' : undefined} aria-hidden="true" />
        <span>{t(`deployments.certificate.state.${state}`, { date: date === null ? '' : dayWithYear(date) })}</span>
      </span>
      {reason === null ? null : (
        <p className="small soft">
          <MessageText message={reason} />
        </p>
      )}
      {restartHelps && repairOf(status) === 'restart' ? (
        <p className="small soft">{t('deployments.certificate.restart_helps')}</p>
      ) : null}
      {words === null ? null : (
        <p className="small soft">
          {t('deployments.certificate.authority')}{' '}
          <q lang="en" className="mono anywhere">
            {words}
          </q>
        </p>
      )}
    </div>
  );
}

/** Returns a time unless it is due, when it is about to be replaced. */
const laterThan = (now: string, at: string | null): string | null =>
  at !== null && Date.parse(at) > Date.parse(now) ? at : null;

/** Explains that the authority refused at least one name, with the solution and a retry button. */
export function RefusedNote({ deployment, dns }: { deployment: Deployment; dns: DeploymentDnsAnswer }) {
  const t = useText();
  const isVerified = useSession()?.user?.is_verified !== false;
  const limit = useRepairLimit(deployment);
  const { run, isBusy, dialog } = useRepairs(deployment);
  const refused = dns.records.filter(({ certificate }) => certificate?.state === 'refused');
  if (refused.length === 0) return null;
  const canSucceed = refused.some(({ certificate }) => retryHelps(certificate?.reason ?? null));
  const repair = canSucceed ? repairOf(deployment.status) : null;
  const next = deployment.status === 'DNS_FAILED' && dns.all_right ? laterThan(dns.now, dns.next_check_at) : null;
  const locked = lockedKey(deployment);
  const off =
    locked !== null ? t('deployments.certificate.under_way') : isVerified ? limit : t('deployments.locked.unverified');
  return (
    <div className="note port" role="alert">
      <ShieldX size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b className="anywhere">
            {t('deployments.certificate.refused', {
              smart_count: refused.length,
              host: refused[0]?.fqdn ?? '',
            })}
          </b>
        </p>
        <p className="soft">
          {t(canSucceed ? 'deployments.certificate.refused_lead' : 'deployments.certificate.hopeless_lead')}
          {next === null ? null : <> {t('deployments.certificate.next', { time: shortInstant(next) })}</>}
        </p>
        {!canSucceed || (repair === null && locked === null) ? null : (
          <div className="row wrap again">
            <LockedButton
              reason={off}
              aria-busy={isBusy ? true : undefined}
              onClick={() => (repair === null ? undefined : run(repair))}
            >
              {t('deployments.certificate.try_again')}
            </LockedButton>
            {dialog}
            {off === null ? null : (
              <span className="small soft" aria-hidden="true">
                {off}
              </span>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
