import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import { stopImpersonating } from '../../data/account';
import { type ImpersonationSession, endSession, useImpersonation } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { clockTime } from '../../ui/dates';
import { Button } from '../../ui/button';
import './impersonation-banner.css';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Banner during impersonation: the user, the end time and a button to leave. */
export function ImpersonationBanner() {
  const impersonation = useImpersonation();
  return impersonation === null ? null : <Banner impersonation={impersonation} />;
}

function Banner({ impersonation: { user, expiresAt } }: { impersonation: ImpersonationSession }) {
  const t = useText();
  const [now, setNow] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  const leftMs = Date.parse(expiresAt) - now;
  useEffect(() => {
    // Read from the clock each time, so that a suspended tab is correct when it wakes.
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) endSession();
  }, [isOver]);
  return (
    <div className="view-banner">
      <Eye size={16} aria-hidden="true" />
      <p className="grow" role="status">
        {t('person.view.banner', { name: user.username, time: clockTime(expiresAt) })}
      </p>
      {/* Outside the status, otherwise screen readers would read it out every minute. */}
      <span className="left">{t('person.view.left', { smart_count: Math.max(0, Math.ceil(leftMs / MINUTE_MS)) })}</span>
      <Button
        size="small"
        busy={busy}
        onClick={() => {
          setBusy(true);
          void stopImpersonating();
        }}
      >
        {t('person.view.stop')}
      </Button>
    </div>
  );
}
