import { Compass } from 'lucide-react';
import { usePublicText } from '../../texts/locale';
import { Link } from '../../ui/link';
import { useTitle } from '../../ui/use-title';
import { Outcome } from './outcome';
import { buttonClass } from '../../ui/button';

/** Page for unknown addresses, for visitors. */
export default function NotFound() {
  const t = usePublicText();
  useTitle(t('not_found.title'));
  return (
    <Outcome icon={Compass} title={t('not_found.title')}>
      <p className="soft">{t('not_found.hint')}</p>
      <div className="row wrap acts">
        <Link className={buttonClass({ kind: 'primary' })} href="/">
          {t('not_found.to_home')}
        </Link>
        <Link className={buttonClass()} href="/login">
          {t('nav.login')}
        </Link>
      </div>
    </Outcome>
  );
}
