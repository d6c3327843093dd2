import { CircleDashed, OctagonX, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { SectionCard } from '../../../ui/card';
import type { Backups } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { byteSize } from '../../../ui/bytes';
import { ago, duration } from '../../../ui/dates';
import { MessageText } from '../../../ui/message-text';
import './side-cards.css';

/** Storage used by the copies, compared with the quota of the support level. */
export function StorageCard({ backups: { used_bytes: used, quota_bytes: quota, mode } }: { backups: Backups }) {
  const t = useText();
  const sizes = { used: byteSize(used), quota: byteSize(quota) };
  return (
    <SectionCard id="storage" title={t('backups.storage.title')}>
      <div className="pad">
        <p>
          <b>{quota > 0 ? t('backups.storage.used', sizes) : t('backups.storage.used_only', { used: sizes.used })}</b>
        </p>
        {quota > 0 ? (
          <div
            className="meter"
            role="meter"
            aria-label={t('backups.storage.title')}
            aria-valuemin={0}
            aria-valuemax={quota}
            aria-valuenow={Math.min(used, quota)}
            aria-valuetext={t('backups.storage.used', sizes)}
          >
            <i style={{ transform: `scaleX(${Math.min(1, used / quota)})` }} />
          </div>
        ) : null}
        {used > quota && quota > 0 ? <p className="small problem">{t('backups.storage.over')}</p> : null}
        <p className="small muted">{t(mode === 'simulated' ? 'backups.storage.simulated' : 'backups.storage.safe')}</p>
      </div>
    </SectionCard>
  );
}

/** Last restore test and last check of the storage. */
export function ProofsCard({ backups: { tested, checked }, now }: { backups: Backups; now: number }) {
  const t = useText();
  return (
    <SectionCard id="proofs" title={t('backups.proofs.title')}>
      <div className="pad backup-proofs">
        {tested === null ? (
          <Proof state="none" title={t('backups.proofs.not_tested')} />
        ) : tested.ok ? (
          <Proof state="ok" title={t('backups.proofs.tested', { ago: ago(tested.at, now) })}>
            {t('backups.proofs.tested_more', { size: byteSize(tested.bytes), time: duration(tested.duration_ms) })}
          </Proof>
        ) : (
          <Proof state="bad" title={t('backups.proofs.test_failed', { ago: ago(tested.at, now) })}>
            {tested.failure === null ? null : <MessageText message={tested.failure} />}
          </Proof>
        )}
        {checked === null ? (
          <Proof state="none" title={t('backups.proofs.not_checked')} />
        ) : checked.ok ? (
          <Proof state="ok" title={t('backups.proofs.checked', { ago: ago(checked.at, now) })}>
            {t('backups.proofs.checked_more')}
          </Proof>
        ) : (
          <Proof state="bad" title={t('backups.proofs.check_failed', { ago: ago(checked.at, now) })}>
            {checked.failure === null ? null : <MessageText message={checked.failure} />}
          </Proof>
        )}
      </div>
    </SectionCard>
  );
}

const SIGNS = { ok: ShieldCheck, bad: OctagonX, none: CircleDashed } as const;

function Proof({ state, title, children = null }: { state: keyof typeof SIGNS; title: string; children?: ReactNode }) {
  const Icon = SIGNS[state];
  return (
    <div className={state}>
      <Icon size={16} aria-hidden="true" />
      <div>
        <p>{state === 'none' ? title : <b>{title}</b>}</p>
        {children === null ? null : <p className="small muted">{children}</p>}
      </div>
    </div>
  );
}
