import Button, { type ButtonProps } from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';

/** A button that can be off and still be reached by keyboard, so that its tooltip can say why. */
export function LockedButton({
  reason,
  onClick,
  children,
  ...rest
}: Omit<ButtonProps, 'disabled' | 'onClick'> & { reason: string | null; onClick: () => void }) {
  const button = (
    <Button
      {...rest}
      className={reason === null ? rest.className : `${rest.className ?? ''} is-off`}
      aria-disabled={reason === null ? undefined : true}
      onClick={reason === null ? onClick : undefined}
    >
      {children}
    </Button>
  );
  return reason === null ? (
    button
  ) : (
    <Tooltip title={reason} enterTouchDelay={0} describeChild>
      {button}
    </Tooltip>
  );
}
