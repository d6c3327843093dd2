import { type ReactNode, useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';

/** Buttons that approve or reject, each with its dialog. */
export function DecideButtons({
  name,
  approve,
  reject,
}: {
  /** Whose referral or request it is. */
  name: string;
  approve: (onClose: () => void) => ReactNode;
  reject: (onClose: () => void) => ReactNode;
}) {
  const t = useText();
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <span className="row-acts">
      <Button size="small" aria-label={t('admin_referrals.approve_of', { name })} onClick={() => setDialog('approve')}>
        {t('admin_referrals.approve')}
      </Button>
      <Button
        kind="danger"
        size="small"
        aria-label={t('admin_referrals.reject_of', { name })}
        onClick={() => setDialog('reject')}
      >
        {t('admin_referrals.reject')}
      </Button>
      {dialog === 'approve' ? approve(close) : dialog === 'reject' ? reject(close) : null}
    </span>
  );
}
