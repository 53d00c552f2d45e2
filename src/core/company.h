// What the calling thread takes along into its loops: whoever runs a block of them has the same as long as it
// lasts.
#ifndef SILT_CORE_COMPANY_H
#define SILT_CORE_COMPANY_H

void *silt_company(void);
// Returns the one before.
void *silt_company_set(void *company);

#endif
