#include <stdio.h>

#include "silt/base.h"

int main(void)
{
    puts(silt_version());
    return 0;
}
