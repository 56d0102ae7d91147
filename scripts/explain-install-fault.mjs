// What to do about an installation that failed, by the code that npm gives for it. npm's own message has been shown.
import { describeFileFault, freeBytes } from '../src/stack/file-faults.js';

const REASONS = [
  {
    codes: [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'EPIPE',
      'ERR_SOCKET_TIMEOUT',
      'EIDLETIMEOUT',
      'ERR_INVALID_URL',
      'ERR_INVALID_PROTOCOL',
      'E407',
      'E500',
      'E502',
      'E503',
      'E504',
    ],
    text: 'npm cannot reach its registry. The first start needs it: check the network, the proxy and `npm config get registry`',
  },
  {
    codes: [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    text: 'npm does not trust the certificate of its registry. Behind a proxy that opens TLS, set NODE_EXTRA_CA_CERTS to the certificate of its authority',
  },
  {
    codes: ['E401', 'E403', 'ENEEDAUTH'],
    text: 'the registry refuses npm. Check `npm config get registry` and how you are signed in to it',
  },
  {
    codes: ['E404', 'ETARGET', 'ENOVERSIONS'],
    text: 'the registry does not have a package that is needed. Check `npm config get registry`',
  },
  {
    codes: ['EINTEGRITY', 'Z_DATA_ERROR', 'TAR_BAD_ARCHIVE'],
    text: 'a package arrived damaged. Run `npm cache clean --force`',
  },
];

const FULL_BELOW_BYTES = 20e6;

/** @param {string} output @param {string} directory */
export function explainInstallFault(output, directory, free = freeBytes(directory)) {
  // On a full disk npm reports whatever failed next.
  if (free < FULL_BELOW_BYTES) return inPlace(directory, describeFileFault('ENOSPC', directory) ?? '');
  // A package's install script may call npm in turn: the code that says why can stand in the inner message.
  const codes = [...output.matchAll(/\bnpm (?:error|ERR!) code (\w+)/g)].map(([, code]) => code ?? '');
  for (const code of codes) {
    const text = REASONS.find((row) => row.codes.includes(code))?.text;
    if (text !== undefined) return `packages could not be installed: ${text}, then try again.`;
    const fault = describeFileFault(code, directory);
    if (fault !== undefined) return inPlace(directory, fault);
  }
  return 'packages could not be installed: npm says why above. Fix that, then try again.';
}

/** @param {string} directory @param {string} fault */
function inPlace(directory, fault) {
  return `packages could not be installed in ${directory}: ${fault}. They need about 800 MB. Fix that, then try again.`;
}
