import { UserX } from 'lucide-react';
import { usePublicText } from '../../texts/locale';
import { useBrand } from '../../data/brand';
import { Link } from '../../ui/link';
import { contactSupport } from '../../parts/support/support-desk';
import { Outcome } from './outcome';
import { useTitle } from '../../ui/use-title';
import { Button, buttonClass } from '../../ui/button';

export default function AccountDeactivated() {
  const t = usePublicText();
  const { support_email: support } = useBrand();
  useTitle(t('deactivated.title'));
  return (
    <Outcome icon={UserX} tone="plain" title={t('deactivated.title')}>
      <p className="soft">{t('deactivated.text')}</p>
      {support === '' ? null : (
        <p className="hint">
          {t('deactivated.support')}{' '}
          <a className="break" href={`mailto:${support}`}>
            {support}
          </a>
        </p>
      )}
      <div className="row wrap acts">
        <Link className={buttonClass({ kind: 'primary' })} href="/login">
          {t('deactivated.back')}
        </Link>
        <Button aria-haspopup="dialog" onClick={() => contactSupport(null)}>
          {t('support.title')}
        </Button>
      </div>
    </Outcome>
  );
}
