import { CircleSlash } from 'lucide-react';
import { againAddress } from '../../data/checkout';
import { useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { Link } from '../../ui/link';
import { Outcome } from './outcome';
import { useTitle } from '../../ui/use-title';
import { buttonClass } from '../../ui/button';

export default function Cancel() {
  const t = usePublicText();
  const { query } = useAddress();
  useTitle(t('cancel.title'));
  return (
    <Outcome icon={CircleSlash} tone="plain" title={t('cancel.title')}>
      <p className="soft">{t('cancel.text')}</p>
      <div className="row wrap acts">
        <Link className={buttonClass({ kind: 'primary' })} href={againAddress(query.get('return_to') === 'order')}>
          {t('cancel.again')}
        </Link>
        <Link className={buttonClass()} href="/dashboard">
          {t('cancel.to_dashboard')}
        </Link>
      </div>
    </Outcome>
  );
}
