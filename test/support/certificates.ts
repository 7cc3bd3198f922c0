/**
 * Self-signed certificates with their keys, for test servers on 127.0.0.1. A client trusts them only through
 * NODE_EXTRA_CA_CERTS. They are valid for a hundred years, except the expired one.
 */
export const CERTIFICATES = {
  /** For 127.0.0.1. */
  good: {
    key: [
      '-----BEGIN PRIVATE KEY-----',
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4EXfjyEnP/mofSLy',
      'jxXZO1dU3/W6MJjRXl1cLHGbbzihRANCAATIMF7nwymReDrChBgyRkwH0cZUazMV',
      'LWCPQG2qOqUUE3UuEev3XDzEdVfYNkrruXt2wdMFeNmExCbvT75NnAl2',
      '-----END PRIVATE KEY-----',
    ].join('\n'),
    cert: [
      '-----BEGIN CERTIFICATE-----',
      'MIIBnDCCAUGgAwIBAgIUFuBlVIvR+qq10qvi+PhDPkhdts4wCgYIKoZIzj0EAwIw',
      'FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTE1NTYwOFoYDzIxMjYxMDI4',
      'MTU1NjA4WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO',
      'PQMBBwNCAATIMF7nwymReDrChBgyRkwH0cZUazMVLWCPQG2qOqUUE3UuEev3XDzE',
      'dVfYNkrruXt2wdMFeNmExCbvT75NnAl2o28wbTAdBgNVHQ4EFgQUf0hh6HOnatIe',
      'uSN9VqFSqckTteAwHwYDVR0jBBgwFoAUf0hh6HOnatIeuSN9VqFSqckTteAwDwYD',
      'VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI',
      'zj0EAwIDSQAwRgIhAKFPRYPKz1VbQpPO8zeN8WUbQAlAo86Z+OqV/XRBO/SXAiEA',
      'vjPJlFvd8q3xBqV81yOj+WwigJNRwXYu4Eiwc4GksrQ=',
      '-----END CERTIFICATE-----',
    ].join('\n'),
  },
  /** For other.example. */
  other: {
    key: [
      '-----BEGIN PRIVATE KEY-----',
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguYcRoOzUyEmQ1Esa',
      'VyP5SJzIhzsHkW+G1ddlNysZ1rqhRANCAARbGmJFm5xWJeX8EsnyVFdUM/XEbS1r',
      '1MB8D1Lme1+OfulbbrmTlV52fMjVJQM6G3PZxO/5qNgfpoya3Dze0UyM',
      '-----END PRIVATE KEY-----',
    ].join('\n'),
    cert: [
      '-----BEGIN CERTIFICATE-----',
      'MIIBoTCCAUegAwIBAgIUDwNszGzv1jQ50AS2IXdRDnCPALswCgYIKoZIzj0EAwIw',
      'GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjExNTU2MDhaGA8yMTI2',
      'MTAyODE1NTYwOFowGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49',
      'AgEGCCqGSM49AwEHA0IABFsaYkWbnFYl5fwSyfJUV1Qz9cRtLWvUwHwPUuZ7X45+',
      '6VtuuZOVXnZ8yNUlAzobc9nE7/mo2B+mjJrcPN7RTIyjbTBrMB0GA1UdDgQWBBR9',
      'Yqbm+oEbxY4d+N+S1viOQFqCAjAfBgNVHSMEGDAWgBR9Yqbm+oEbxY4d+N+S1viO',
      'QFqCAjAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUw',
      'CgYIKoZIzj0EAwIDSAAwRQIgD+ShI+ZePnnqm/DeoA5Z+Wy7A4Mwa/gJfERzXXwN',
      'LywCIQDSdLlZ3+7c3TjpNL0Q8WcIxpEQ5Tqu1/TF5AUYd5DJdQ==',
      '-----END CERTIFICATE-----',
    ].join('\n'),
  },
  /** For 127.0.0.1, expired in 2020. */
  expired: {
    key: [
      '-----BEGIN EC PRIVATE KEY-----',
      'MHcCAQEEIKxSYll0SBvSYzV3aZsD5/Ler23BMkXKJQF8ep5rXm4WoAoGCCqGSM49',
      'AwEHoUQDQgAEN5n56ynvPqjicDZuALFYcjxC56ixYlV0qJJjHFb5l+9QvgxWlYFP',
      'z07rcUXL4tAW7jnQoaqGrpsPkSsp8B035Q==',
      '-----END EC PRIVATE KEY-----',
    ].join('\n'),
    cert: [
      '-----BEGIN CERTIFICATE-----',
      'MIIBSTCB76ADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCTEyNy4wLjAu',
      'MTAeFw0yMDAxMDEwMDAwMDBaFw0yMDAxMDIwMDAwMDBaMBQxEjAQBgNVBAMMCTEy',
      'Ny4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDeZ+esp7z6o4nA2bgCx',
      'WHI8QueosWJVdKiSYxxW+ZfvUL4MVpWBT89O63FFy+LQFu450KGqhq6bD5ErKfAd',
      'N+WjMjAwMA8GA1UdEQQIMAaHBH8AAAEwHQYDVR0OBBYEFKBNtRIqMf5iDD94SiZE',
      'aDzTkt+RMAoGCCqGSM49BAMCA0kAMEYCIQCX+AsDl+sMMmX7kG9Nmh7wG/jCKuHm',
      'vQ/x7C7vgeAzdgIhAOXB6+5/V9CdC6RntuukqFoB5oq7yLv1eCk2OY49hZEu',
      '-----END CERTIFICATE-----',
    ].join('\n'),
  },
} as const;
