import { RotateCcw } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { useWizard } from './wizard-context';

/** States that the choices are those of an earlier visit, until the user changes the step. */
export function ResumedNote({ onRestart }: { onRestart: () => void }) {
  const t = useText();
  const { arrived } = useWizard();
  if (arrived) return null;
  return (
    <p className="resumed small muted">
      {t('wizard.resumed.kept')}{' '}
      <Button kind="text" size="small" className="inline" onClick={onRestart}>
        <RotateCcw size={14} aria-hidden="true" />
        {t('wizard.resumed.restart')}
      </Button>
    </p>
  );
}
