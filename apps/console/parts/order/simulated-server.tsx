import { simulatedOwnAddress } from '@moorage/domain';
import { FlaskConical } from 'lucide-react';
import { useArrivedSettings } from '../../data/brand';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import './simulated-server.css';

/** Offers the address of a simulated own server where all servers are simulated, and renders nothing elsewhere. */
export function SimulatedServer({ onUse }: { onUse: (address: string) => void }) {
  const t = useText();
  if (useArrivedSettings()?.clouds !== 'sandbox') return null;
  return (
    <div className="note sandbox simulated-server">
      <FlaskConical size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('wizard.vps.simulated.title')}</b> {t('wizard.vps.simulated.text')}
        </p>
        <Button size="small" onClick={() => onUse(simulatedOwnAddress(random()))}>
          {t('wizard.vps.simulated.use')}
        </Button>
      </div>
    </div>
  );
}

function random(): number {
  const [value = 0] = crypto.getRandomValues(new Uint16Array(1));
  return value / 2 ** 16;
}
