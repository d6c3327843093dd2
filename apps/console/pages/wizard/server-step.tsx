import { HardDrive, Server } from 'lucide-react';
import { usePackages } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { Card, Choices, FromPrice } from '../../parts/order/choice';
import { OwnServer } from './own-server';
import { OWN_SERVER_DAILY } from './own-server-price';
import { ClearsNote } from './clears-note';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { useWizard } from './wizard-context';

export function ServerStep() {
  const t = useText();
  const { wizard, choose } = useWizard();
  const chosen = wizard.draft.server_type;
  const daily = usePackages().data?.find(({ name }) => name === wizard.draft.package)?.from_daily ?? null;
  return (
    <>
      <StepHeading title={t('wizard.server.heading')}>{t('wizard.server.intro')}</StepHeading>
      <ClearsNote fields={['cloud_provider', 'region', 'instance_type']} />
      <ChoiceProblem path="server_type" />
      <Choices
        label={t('wizard.steps.server')}
        value={chosen}
        onChoose={(value) => choose({ type: 'server_type_chosen', server_type: value === 'vps' ? 'vps' : 'new' })}
      >
        <Card
          value="new"
          chosen={chosen === 'new'}
          picture={<Server size={20} className="pict" aria-hidden="true" />}
          price={daily === null ? <small>{t('wizard.server.price_later')}</small> : <FromPrice daily={daily} />}
        >
          <b>{t('wizard.server.new')}</b>
          <br />
          <span className="soft">{t('wizard.server.new_hint')}</span>
        </Card>
        <Card
          value="vps"
          chosen={chosen === 'vps'}
          picture={<HardDrive size={20} className="pict" aria-hidden="true" />}
          price={
            <>
              {money(OWN_SERVER_DAILY, { rounding: 'price' })}
              <small>{t('wizard.a_day')}</small>
            </>
          }
        >
          <b>{t('wizard.server.own')}</b>
          <br />
          <span className="soft">{t('wizard.server.own_hint')}</span>
        </Card>
      </Choices>
      {chosen === 'vps' ? <OwnServer /> : null}
    </>
  );
}
