# bash completion for silt, written by 'silt help --bash'
_silt_settings() {
    case "$1" in
    noise) echo "kind= relief= feature_size= octaves= hurst= lacunarity= warp= warp_size= origin=" ;;
    diamond-square) echo "relief= hurst= feature_size= wrap= additions=" ;;
    fault) echo "shape= count= step= decay= edge= radius=" ;;
    rmp) echo "place= height= spread= sharpness= ridges= cells= complexity= iterations= smooth=" ;;
    range) echo "from= to= height= spread= wander= sharpness= raise= variation= ridges= cells= complexity= iterations= smooth=" ;;
    plates) echo "plates= time= steps= drift= push= gap= elasticity= turning= height= spread= wander= sharpness= ridges= raise= variation= cells= complexity= iterations= smooth=" ;;
    plane) echo "angle= direction= height=" ;;
    crooked) echo "angle= direction= amplitude= wavelength=" ;;
    steps) echo "count= height= edge= direction=" ;;
    wall) echo "height= thickness= direction= back=" ;;
    basin) echo "depth= bottom=" ;;
    pyramid) echo "base= height=" ;;
    cone) echo "radius= height=" ;;
    hemisphere) echo "radius= height=" ;;
    two-hills) echo "height= radius= distance= second=" ;;
    mountain) echo "height= radius= spurs=" ;;
    volcano) echo "height= radius= crater_radius= crater_depth=" ;;
    channel) echo "angle= width= depth= amplitude= wavelength=" ;;
    meander) echo "angle= width= depth= amplitude= wavelength=" ;;
    ditch) echo "angle= width= bank= depth= ridge_height= ridge_width=" ;;
    dam-break) echo "depth= ahead= dam=" ;;
    bowl) echo "depth= radius= motion= amplitude=" ;;
    letters) echo "path= height= edge= size= invert=" ;;
    rock) echo "beds= thickness= hard= soft= level= dip= direction= fold= fold_spacing= fold_length= faults= throw= fault_length= crushed= crush_width= intrusions= intrusion_size= roof= dikes= dike_width= variation= patch=" ;;
    ranges) echo "rate= basin= height= strike= bow= spacing= width= segment= asymmetry= offset= wander= variation=" ;;
    stratovolcano) echo "height= radius= crater_radius= crater_depth= flows= thickness= vents= collapse= direction= aside=" ;;
    pillars) echo "slope= foot= count= radius= height=" ;;
    bridge) echo "slope= foot= radius= height= width=" ;;
    headland) echo "height= width= length= bed= batter= rough= grain=" ;;
    tunnel) echo "radius= height= foot=" ;;
    sphere) echo "radius=" ;;
    torus) echo "radius= tube=" ;;
    box) echo "radius=" ;;
    acid) echo "paper= particles= spacing= support= mass= rain= rain_map= fall= life= viscosity= artificial= tension= threshold= pressure= pulls= images= pair= sound= gas= density_from= integrator= restitution= friction= time_step= north= east= south= west= drops= acidity= capacity= erodibility=" ;;
    cells) echo "paper= rain= rain_map= rain_altitude= rain_pattern= drop_spacing= drop_interval= drop_jitter= drop_radius= sources= sources_map= sources_rate= source_shape= north= east= south= west= evaporation_kind= evaporation= rest= speed= dissolve= capacity= least_steepness= still= loose= pace= spread= neighbours= bounds= erodibility= strata= strata_direction= bed= intrusion= intrusion_erodibility=" ;;
    ice) echo "step= ela= ela_share= gradient= most_snow= aspect= bare= balance= balance_map= cycle= swing= softness= sliding= coupling= abrasion= quarrying= loose= wall= washed= sea_level= calving= sides= thaw= erodibility= strata= strata_direction= bed= intrusion= intrusion_erodibility=" ;;
    newton) echo "paper= rain= rain_map= rain_altitude= rain_pattern= drop_spacing= drop_interval= drop_jitter= drop_radius= sources= sources_map= sources_rate= source_shape= north= east= south= west= evaporation_kind= evaporation= rest= step= cfl= gravity= friction= influence= threshold= diffusion= fastest= capacity= dissolve= settle= densest= loose= dry= pace= erodibility= strata= strata_direction= bed= intrusion= intrusion_erodibility= averaging= transfer= time_scaling=" ;;
    pipes) echo "paper= rain= rain_map= rain_altitude= rain_pattern= drop_spacing= drop_interval= drop_jitter= drop_radius= sources= sources_map= sources_rate= source_shape= north= east= south= west= evaporation_kind= evaporation= rest= step= cfl= gravity= pipe_area= outflows= friction= fastest= neighbours= capacity= dissolve= settle= least_tilt= film= densest= reach= loose= erodibility= strata= strata_direction= bed= intrusion= intrusion_erodibility= time_scaling= transport= bank_angle= bank_rate= pace=" ;;
    rivers) echo "step= uplift= uplift_map= uplift_scale= wane= pulse= pulse_strength= incision= area_exponent= slope_exponent= source_area= channel_width= lateral= wander= deposition= diffusion= critical_slope= chute_slope= strength_variation= slide_time= slide_size= lakes= routing= multiple= sides= outlet_spacing= base= reach= nodata= sea_level= precipitation= rain_map= channel_area= erodibility= strata= strata_direction= bed= intrusion= intrusion_erodibility=" ;;
    sph) echo "paper= particles= spacing= support= mass= rain= rain_map= fall= life= viscosity= artificial= tension= threshold= pressure= pulls= images= pair= sound= gas= density_from= integrator= restitution= friction= time_step= north= east= south= west= boxes= sources= erosion= bed= speed= power= transport= roughness= boundary_spacing= boundary_friction= shear= critical= strength= rock_density= grain= most= exponent= diffusion= hindering= settling= erodibility= water= start=" ;;
    thermal) echo "paper= talus= strength= rate= amount= rock= mode= summit= neighbours= erodibility= strata= strata_direction= bed= intrusion= intrusion_erodibility=" ;;
    voxel) echo "paper= particles= spacing= support= mass= rain= rain_map= fall= life= viscosity= artificial= tension= threshold= pressure= pulls= images= pair= sound= gas= density_from= integrator= restitution= friction= time_step= north= east= south= west= boxes= sources= capacity= most= dissolve_normal= dissolve_tangent= deposit= least= flat= sinking= asymmetry= cone= weight= masses= exchange= collision= distance= redistance= smoothing= falling= falling_every= rock= rock_low= rock_high= rock_size= rock_dip= layers= brick= floor= headroom= erodibility=" ;;
    esac
}
_silt_options() {
    case "$1" in
    new) echo " --output --size --cell --seed --set --maps --masks --frames --threads --json --quiet --verbose --help --layer --bits --heights --compression --tile --raw-order --skirt --brick --layers --floor --headroom --distance --open --part --decimate --erodibility --rock --rock-low --rock-high --rock-size --rock-dip --mask-format --mask-bits --mask-scale --percentiles --bands --snow --arid --splat --colour" ;;
    erode) echo " --output --size --seed --set --map --steps --time --pyramid --maps --masks --report --vectors --frames --every --checkpoint --resume --trust --threads --device --json --quiet --verbose --help --heights --cell --nodata --raw-width --raw-height --raw-type --raw-order --layer --bits --heights --compression --tile --raw-order --skirt --channel-area --precipitation --lake-area --lake-depth --sea-level --multiple --mask-format --mask-bits --mask-scale --percentiles --bands --snow --arid --splat --colour" ;;
    rivers) echo " --output --maps --threads --json --quiet --verbose --help --heights --cell --nodata --raw-width --raw-height --raw-type --raw-order --channel-area --precipitation --lake-area --lake-depth --sea-level --multiple" ;;
    render) echo " --output --size --before --particles --orbit --fps --seconds --define --small --trust --threads --json --quiet --verbose --help --heights --cell --nodata --raw-width --raw-height --raw-type --raw-order --look --view --overlay --width --height --sun --sun-height --exaggeration --turn --eye --target --fov --snow --arid --sea --haze --bloom --bloom-above --bloom-white --compare --volume --worn --clip-east --clip-north --clip-height --cut --cut-at --particle-look --particle-colour --particle-size --shadows --water --ice --sediment --legend --transparent" ;;
    view) echo " --threads --json --quiet --verbose --help" ;;
    run) echo " --masks --report --every --checkpoint --resume --define --small --trust --dry-run --threads --device --json --quiet --verbose --help --mask-format --mask-bits --mask-scale --percentiles --bands --snow --arid --splat --colour" ;;
    info) echo " --drainage --landforms --tiles --sea-level --threads --json --quiet --verbose --help --heights --cell --nodata --raw-width --raw-height --raw-type --raw-order" ;;
    convert) echo " --output --size --seed --masks --crop --flip --rotate --threads --json --quiet --verbose --help --heights --cell --nodata --raw-width --raw-height --raw-type --raw-order --layer --bits --heights --compression --tile --raw-order --skirt --brick --layers --floor --headroom --distance --open --part --decimate --erodibility --rock --rock-low --rock-high --rock-size --rock-dip --mask-format --mask-bits --mask-scale --percentiles --bands --snow --arid --splat --colour --tiles --overlap --for" ;;
    list) echo " --threads --json --quiet --verbose --help" ;;
    help) echo " --man --markdown --bash --threads --json --quiet --verbose --help" ;;
    bench) echo " --size --seed --set --steps --threads --device --json --quiet --verbose --help" ;;
    esac
}
_silt() {
    local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
    local words=""
    if [ "$COMP_CWORD" -eq 1 ]; then words="new erode rivers render view run info convert list help bench"
    elif [ "$previous" = --set ]; then words=$(_silt_settings "${COMP_WORDS[2]}"); compopt -o nospace
    elif [[ "$word" == -* ]]; then words=$(_silt_options "$command")
    elif [ "$COMP_CWORD" -eq 2 ] && [ "$command" = new ]; then words="noise diamond-square fault rmp range plates plane crooked steps wall basin pyramid cone hemisphere two-hills mountain volcano channel meander ditch dam-break bowl letters rock ranges stratovolcano pillars bridge headland tunnel sphere torus box"
    elif [ "$COMP_CWORD" -eq 2 ] && [ "$command" = erode ]; then words="acid cells ice newton pipes rivers sph thermal voxel"
    fi
    if [ -n "$words" ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else compopt -o default; fi
}
complete -F _silt silt
