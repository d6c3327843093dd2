import { useState } from 'react';
import type { ProviderAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { Instant } from '../../ui/instant';
import { ConfirmProjectDialog } from './confirm-project-dialog';

/** Reasons why servers cannot be ordered at the provider. */
export function Problems({ provider }: { provider: ProviderAnswer }) {
  const t = useText();
  const { distrusted, paused_until: paused, mode, project } = provider;
  return (
    <>
      {distrusted === null ? null : (
        <p className="note port">
          <span>
            {t(`providers.distrusted.${distrusted.reason}`)} <Instant iso={distrusted.since} />
          </span>
        </p>
      )}
      {paused === null ? null : (
        <p className="note brass">
          <span>
            {t('providers.paused')} <Instant iso={paused} />
          </span>
        </p>
      )}
      {mode === 'live' && project?.confirmed_at === null ? <Unconfirmed provider={provider} id={project.id} /> : null}
    </>
  );
}

/** Orders are refused until an administrator confirms the project. */
function Unconfirmed({ provider, id }: { provider: ProviderAnswer; id: string }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="note brass">
      <div>
        <p>{t('providers.confirm.needed')}</p>
        <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('providers.confirm.open')}
        </Button>
      </div>
      {isOpen ? <ConfirmProjectDialog provider={provider} id={id} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
