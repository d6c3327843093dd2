import Button, { type ButtonProps } from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';

/** Disabled button that stays focusable, so that its tooltip can state the reason. */
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
