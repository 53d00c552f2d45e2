// What a model says of itself.
#include "erode/model.h"

const char *silt_model_name(const SiltModel *model)
{
    return model->name;
}

const char *silt_model_summary(const SiltModel *model)
{
    return model->summary;
}

const char *silt_model_source(const SiltModel *model)
{
    return model->source;
}

const char *silt_model_clock(const SiltModel *model)
{
    return model->clock;
}

const SiltParamTable *silt_model_params(const SiltModel *model)
{
    return &model->params;
}

int64_t silt_model_default_steps(const SiltModel *model)
{
    return model->default_steps;
}

const char *silt_model_limiter(const SiltModel *model, int index)
{
    for (int k = 0; model->limiters && model->limiters[k]; k++)
        if (k == index)
            return model->limiters[k];
    return NULL;
}

double silt_model_step_bytes(const SiltModel *model)
{
    return model->step_bytes;
}

int silt_model_halo(const SiltModel *model)
{
    return model->halo;
}

bool silt_model_on_device(const SiltModel *model)
{
    return model->grid || model->fetch;
}
