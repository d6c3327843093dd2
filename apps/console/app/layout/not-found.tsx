import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { useTitle } from '../../ui/use-title';
import { ButtonLink } from '../../ui/button-link';

/** Page for unknown addresses, with the usual header. */
export function NotFound() {
  const t = useText();
  const p = usePublicText();
  useTitle(p('not_found.title'));
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="card empty">
        <h1>{p('not_found.title')}</h1>
        <p className="soft">{p('not_found.hint')}</p>
        <ButtonLink kind="primary" to="/dashboard">
          {t('layout.to_dashboard')}
        </ButtonLink>
      </div>
    </main>
  );
}
