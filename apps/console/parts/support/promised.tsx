import type { SupportDesk } from '@moorage/contracts';
import { useEffect, useState } from 'react';
import { api } from '../../data/api';
import { usePublicText } from '../../texts/locale';
import { Phone, SuccessManager, useResponseTime } from './response-time';

/** Loads the support level of this user, or null for visitors and while unknown. */
export function useDesk(userId: number | null): SupportDesk | null {
  const [known, setKnown] = useState<{ of: number; desk: SupportDesk } | null>(null);
  useEffect(() => {
    if (userId === null) return;
    const gone = new AbortController();
    api('GET /support/desk', { signal: gone.signal }).then(
      (desk) => setKnown({ of: userId, desk }),
      () => undefined,
    );
    return () => gone.abort();
  }, [userId]);
  return known !== null && known.of === userId ? known.desk : null;
}

/** Response time, phone number and success manager of a support level. */
export function Promised(desk: SupportDesk) {
  const t = usePublicText();
  const promise = useResponseTime()(desk);
  const { phone, success_manager: manager } = desk;
  if (promise === null) return null;
  return (
    <div className="promised">
      <p>{promise}</p>
      {phone === null ? null : (
        <p>
          {t('support.phone')}: <Phone number={phone} />
        </p>
      )}
      {manager === null ? null : (
        <p>
          {t('support.manager')}: <SuccessManager {...manager} />
        </p>
      )}
    </div>
  );
}
