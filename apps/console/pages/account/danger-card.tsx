import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { SectionCard } from '../../ui/card';
import { DeleteAccount } from './delete-account';
import { Button } from '../../ui/button';
import './danger-card.css';

/** Deletion of the account. */
export function DangerCard() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <SectionCard id="danger" title={t('account.danger.title')}>
      <div className="pad">
        <p className="soft">{t('account.danger.lead')}</p>
        <Button kind="danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('account.danger.delete')}
        </Button>
      </div>
      {isOpen ? <DeleteAccount onClose={() => setOpen(false)} /> : null}
    </SectionCard>
  );
}
